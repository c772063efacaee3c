#pragma once

// Lists of sizes on the command line: "6x6x4", "16,16,16".

#include <string_view>
#include <vector>

namespace pssp {

/// Numbers of `text` between `separator`s, each in [low, high]. `what` names the list in the
/// Error(usage) that anything else throws.
std::vector<unsigned> parse_size_list(std::string_view text, char separator, unsigned low,
                                      unsigned high, std::string_view what);

}  // namespace pssp
