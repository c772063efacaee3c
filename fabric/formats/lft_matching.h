#pragma once

// Brings a topology and a dump of forwarding tables together.

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

/// Switches and destinations are matched by LID where the topology has LIDs, else by GUID, else by
/// node description (where unique); a topology without LIDs takes them from the dump. What does not
/// match is an Error(mismatch) with counts and examples of both sides, never a guess: another
/// fabric's dump must not be scored.
MatchedTables match_tables(TopologyFile topology, const LftFile& dump,
                           const BuilderOptions& options = {});

}  // namespace pssp
