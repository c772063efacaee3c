#pragma once

#include <string>
#include <vector>

namespace pssp {

/// The names in a list separated by commas, without surrounding blanks.
std::vector<std::string> names_in_list(const std::string& list);

}  // namespace pssp
