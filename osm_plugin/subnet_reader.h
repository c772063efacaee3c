#pragma once

// OpenSM's subnet as the core sees it.

#include <opensm/osm_config.h>
// osm_config.h comes first: it decides the layout of the structures in the others.
#include <opensm/osm_subnet.h>
#include <opensm/osm_switch.h>

#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/formats/capacity_file.h"
#include "osm_plugin/log_message.h"
#include "osm_plugin/node_types_source.h"

namespace pssp {

struct Subnet {
  Fabric fabric;
  std::vector<osm_switch_t*> switches;  ///< OpenSM's object for each SwitchId; owned by OpenSM
  std::vector<LogMessage> warnings;     ///< what was left out and why
  std::string capacities;               ///< what became of capacities; empty: all are nominal
  std::string node_types;               ///< what became of node types; empty: names tell them
};

/// The subnet as discovered, with the LIDs that OpenSM has assigned: switches that can be
/// programmed, adapters, routers, and the links that are healthy at both ends. The caller holds
/// OpenSM's lock. Capacities that do not belong to the subnet are a warning, and all of them are
/// nominal; node types that contradict each other are one, and names tell. O(nodes log nodes +
/// ports).
Subnet read_subnet(const osm_subn_t& subnet, const CapacityFile* capacities = nullptr,
                   const ConfiguredNodeTypes* node_types = nullptr);

}  // namespace pssp
