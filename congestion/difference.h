#pragma once

// The differences between two parameter sets in their effect on switches and adapters; ignores the
// law of a table, and the MTU and link rate of its delays in nanoseconds.

#include <string>
#include <vector>

#include "congestion/parameters.h"

namespace pssp {

/// A value in both sets; empty if a table lacks the entry.
struct ParameterDifference {
  std::string name;  ///< as in a parameter file, or table.entry[i]
  std::string left, right;
};

/// In the order of the notation. A difference that is equal for all service levels is listed once,
/// without a level. Empty: the sets have the same effect. O(entries).
std::vector<ParameterDifference> differences(const CongestionParameters& left,
                                             const CongestionParameters& right);

}  // namespace pssp
