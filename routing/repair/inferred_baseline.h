#pragma once

// Infers the complete fabric from a damaged one, so that the baseline can be computed while links
// or switches are missing (docs/explanation/incremental-rerouting.md).

#include <cstddef>
#include <optional>
#include <string>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

struct InferredWhole {
  Fabric fabric;             ///< numbered by GUID; inferred switches have GUIDs above all others
  std::size_t links = 0;     ///< number of missing links, including those of missing switches
  std::size_t switches = 0;  ///< number of missing switches
};

/// The fabric plus the links and the switches of the upper levels that are missing by its structure
/// (inferred_links.h). None if nothing is missing, if the fabric is not a tree, or if more than one
/// link per four present links would be inferred, because the structure is then unreliable.
/// O(channels * children of a switch + ports log nodes).
std::optional<InferredWhole> infer_whole(const Fabric& fabric);

/// The numbers of inferred links and switches, as a clause for logs.
std::string describe(const InferredWhole& whole);

/// Tables for the current fabric, at a first start.
struct FirstTables {
  const ForwardingTables& tables;  ///< complete
  bool falls_short = false;        ///< too few virtual lanes: the tables can deadlock
};

/// Explains as a clause why the baseline is the current fabric, not the inferred one. Empty if
/// `repaired` (repaired tables of the inferred fabric) may replace `own` (the engine's tables for
/// the current fabric): they may score up to 2 % less (score without simulation), and lack lanes
/// only if `own` does. O(hops of the flows of structured traffic).
std::string why_not_whole(const Fabric& fabric, const FirstTables& repaired,
                          const FirstTables& own);

}  // namespace pssp
