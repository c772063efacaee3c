#pragma once

// The requests that apply a parameter set to one node, or restore its previous settings.

#include <span>
#include <vector>

#include "congestion/parameters.h"
#include "tools/congestion/cc_nodes.h"
#include "wire/congestion/attributes.h"

namespace pssp {

/// The setting of one switch: masks by role are those of its own ports.
SwitchSetting setting_of_switch(const SwitchCongestionParameters& parameters,
                                std::span<const PortRole> roles);

/// The requests that apply the set to the node, in the order in which they must be sent: for an
/// adapter, the table precedes the setting that uses it. Empty for a switch without settings in the
/// set.
std::vector<CcRequest> set_requests(const CcNode& node, const CongestionParameters& parameters);

/// The answers of a node. A switch has a switch setting, an adapter the other two.
struct NodeReading {
  SwitchSetting switch_setting;
  AdapterCongestionParameters adapter;
  std::vector<CctEntry> table;  ///< CCTI_Limit + 1 entries

  bool operator==(const NodeReading&) const = default;
};

/// The requests that restore everything that was read from the node, regardless of its control
/// maps, which only describe the last setting. In the order of set_requests().
std::vector<CcRequest> restoring_requests(const CcNode& node, const NodeReading& reading);

/// The settings of a node after it has adopted the whole set.
NodeReading intended_reading(const CcNode& node, const CongestionParameters& parameters);

/// The set as OpenSM applies it: without masks that differ between switches, and with at most 128
/// table entries.
CongestionParameters as_opensm_sets(const CongestionParameters& parameters);

}  // namespace pssp
