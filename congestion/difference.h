#pragma once

// In what two parameter sets differ, as far as switches and adapters would see it: from which law a
// table comes and for which MTU and link rate its delays are said is not part of that.

#include <string>
#include <vector>

#include "congestion/parameters.h"

namespace pssp {

/// A value of one set and of the other; empty where a table has no such entry.
struct ParameterDifference {
  std::string name;  ///< as in a parameter file, or table.entry[i]
  std::string left, right;
};

/// In the order of the notation. A value that differs in the same way on all service levels is
/// named once, without a level. Empty: both sets do the same. O(entries).
std::vector<ParameterDifference> differences(const CongestionParameters& left,
                                             const CongestionParameters& right);

}  // namespace pssp
