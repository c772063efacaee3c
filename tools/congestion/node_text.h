#pragma once

// Settings of one node as text, with the names of parameter files: the actual values, and
// differences from the expected ones.

#include <string>
#include <vector>

#include "tools/congestion/node_requests.h"

namespace pssp {

struct SettingDifference {
  std::string name;  ///< as in parameter files
  std::string found, expected;
};

/// Differences between the node and the set. Ignores what the set's control maps leave unchanged.
std::vector<SettingDifference> differences(const CcNode& node, const NodeReading& reading,
                                           const CongestionParameters& expected);

/// Differences between the answer to a Set and the request. Ignores what the request leaves
/// unchanged, and ports that the switch does not have (1 to `ports`).
std::vector<SettingDifference> differences_in_answer(const CcRequest& sent, const CcData& answer,
                                                     unsigned ports);

struct NamedSetting {
  std::string name, value;  ///< as in parameter files
};
/// The values of a reading, one per line. `only_named`: without values outside its control maps.
std::vector<NamedSetting> describe(const CcNode& node, const NodeReading& reading, bool only_named);

}  // namespace pssp
