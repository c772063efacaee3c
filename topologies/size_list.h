#pragma once

// Lists of sizes on the command line: "6x6x4", "16,16,16".

#include <string_view>
#include <vector>

namespace pssp {

/// The numbers in `text` between separators, each in [low, high]. Throws Error(usage), with `what`
/// as the name of the list, for any other text.
std::vector<unsigned> parse_size_list(std::string_view text, char separator, unsigned low,
                                      unsigned high, std::string_view what);

}  // namespace pssp
