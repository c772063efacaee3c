#pragma once

#include <string>
#include <vector>

namespace pssp {

/// Names that stand in a list with commas, without blanks around them.
std::vector<std::string> names_in_list(const std::string& list);

}  // namespace pssp
