#pragma once

// The cabling of a plan or a fabric from files.

#include <optional>
#include <string>
#include <vector>

#include "fabric/input/fabric_input.h"
#include "operations/cabling/cabling.h"

namespace pssp {

/// Cables, and their fabric if the source is a topology.
struct CablingSource {
  Cabling cabling;
  std::optional<Fabric> fabric;            ///< with LIDs; none for a cabling list
  std::optional<ForwardingTables> tables;  ///< if the sources contain tables
  std::optional<FabricBuilder> builder;    ///< the source of the fabric, with the LIDs of the file
  std::vector<std::string> warnings;       ///< of the file; `cabling` has its own warnings
};

/// From a topology; a name in `names` replaces the description of a node. Throws the errors of
/// to_fabric_input().
CablingSource cabling_source(FabricSources sources, const NodeNameMap& names);

/// A plan: a topology of any kind, or one cabling list. Throws the errors of read_plan_sources()
/// and cabling_source().
CablingSource read_cabling_plan(const std::string& file);

}  // namespace pssp
