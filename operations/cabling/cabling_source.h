#pragma once

// What is compared, as it comes from files.

#include <optional>
#include <string>
#include <vector>

#include "fabric/input/fabric_input.h"
#include "operations/cabling/cabling.h"

namespace pssp {

/// Cables, and the fabric that they are of where it is one.
struct CablingSource {
  Cabling cabling;
  std::optional<Fabric> fabric;            ///< with LIDs; none of a cabling list
  std::optional<ForwardingTables> tables;  ///< where the sources have them
  std::optional<FabricBuilder> builder;    ///< what made the fabric, with the LIDs of the file
  std::vector<std::string> warnings;       ///< of the file; those of `cabling` are its own
};

/// Of a topology; a name of `names` stands for the description of a node. Throws as
/// to_fabric_input().
CablingSource cabling_source(FabricSources sources, const NodeNameMap& names);

/// A plan: a topology of any kind, or one cabling list. Throws as read_plan_sources() and
/// cabling_source().
CablingSource read_cabling_plan(const std::string& file);

}  // namespace pssp
