#pragma once

// What a parameter set means for one node, and what one node has.

#include <span>
#include <string>
#include <vector>

#include "congestion/parameters.h"
#include "tools/congestion/cc_nodes.h"
#include "wire/congestion/attributes.h"

namespace pssp {

/// The setting of one switch: masks by role are those of its own ports.
SwitchSetting setting_of_switch(const SwitchCongestionParameters& parameters,
                                std::span<const PortRole> roles);

/// The requests that give the node the set, in the order in which they must be sent: an adapter
/// gets the table before the setting that makes use of it. None for a switch of which the set says
/// nothing.
std::vector<CcRequest> set_requests(const CcNode& node, const CongestionParameters& parameters);

/// What a node answered. A switch has a switch setting, an adapter the other two.
struct NodeReading {
  SwitchSetting switch_setting;
  AdapterCongestionParameters adapter;
  std::vector<CctEntry> table;  ///< CCTI_Limit + 1 entries

  bool operator==(const NodeReading&) const = default;
};

struct SettingDifference {
  std::string name;  ///< as in parameter files
  std::string found, expected;
};

/// Where the node does not have what the set says. What the set leaves as it is (by its control
/// maps) is not looked at.
std::vector<SettingDifference> differences(const CcNode& node, const NodeReading& reading,
                                           const CongestionParameters& expected);

/// What a node has that took over all of the set.
NodeReading intended_reading(const CcNode& node, const CongestionParameters& parameters);

struct SettingLine {
  std::string name, value;  ///< as in parameter files
};
/// The values of a reading, one a line. `only_named`: without what its control maps leave out.
std::vector<SettingLine> describe(const CcNode& node, const NodeReading& reading, bool only_named);

/// The set as OpenSM gives it to the fabric: without the masks that differ from switch to switch,
/// the table cut at 128 entries.
CongestionParameters as_opensm_sets(const CongestionParameters& parameters);

}  // namespace pssp
