#pragma once

// Matches a topology and a dump of forwarding tables.

#include <string>
#include <vector>

#include "fabric/builder.h"
#include "fabric/fabric.h"
#include "fabric/formats/lft_file.h"
#include "fabric/formats/topology_file.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

struct MatchedTables {
  Fabric fabric;
  ForwardingTables tables;
  std::vector<std::string> warnings;
};

/// Switches and destinations are matched by LID if the topology has LIDs, else by GUID, else by
/// unique node descriptions; a topology without LIDs gets those of the dump. Throws
/// Error(mismatch), with counts and examples of both sides, for differences: another fabric's dump
/// must not be scored.
MatchedTables match_tables(TopologyFile topology, const LftFile& dump,
                           const BuilderOptions& options = {});

}  // namespace pssp
