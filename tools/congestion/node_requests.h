#pragma once

// What is sent to one node: the requests that give it a parameter set, or what it had before.

#include <span>
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

/// The requests that give the node what was read from it, all of it whatever its control maps say:
/// these are about the last setting, not about the node. In the order of set_requests().
std::vector<CcRequest> restoring_requests(const CcNode& node, const NodeReading& reading);

/// What a node has that took over all of the set.
NodeReading intended_reading(const CcNode& node, const CongestionParameters& parameters);

/// The set as OpenSM gives it to the fabric: without the masks that differ from switch to switch,
/// the table cut at 128 entries.
CongestionParameters as_opensm_sets(const CongestionParameters& parameters);

}  // namespace pssp
