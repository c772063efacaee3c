#pragma once

// Settings of one node in words, by the names that parameter files have: what a node has, and where
// that is not what was expected.

#include <string>
#include <vector>

#include "tools/congestion/node_requests.h"

namespace pssp {

struct SettingDifference {
  std::string name;  ///< as in parameter files
  std::string found, expected;
};

/// Where the node does not have what the set says. What the set leaves as it is (by its control
/// maps) is not looked at.
std::vector<SettingDifference> differences(const CcNode& node, const NodeReading& reading,
                                           const CongestionParameters& expected);

/// Where the answer to a Set says something else than what was sent. What the request leaves as it
/// is is not looked at, nor are ports beyond those that the switch has, 1 to `ports`.
std::vector<SettingDifference> differences_in_answer(const CcRequest& sent, const CcData& answer,
                                                     unsigned ports);

struct NamedSetting {
  std::string name, value;  ///< as in parameter files
};
/// The values of a reading, one a line. `only_named`: without what its control maps leave out.
std::vector<NamedSetting> describe(const CcNode& node, const NodeReading& reading, bool only_named);

}  // namespace pssp
