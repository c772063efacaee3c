#pragma once

// The whole fabric of which a damaged one is what is left, so that the baseline can be made on a
// day on which something is missing (docs/explanation/incremental-rerouting.md).

#include <cstddef>
#include <optional>
#include <string>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

struct InferredWhole {
  Fabric fabric;             ///< numbered by GUID; inferred switches have GUIDs above all others
  std::size_t links = 0;     ///< that the other one lacks, those of missing switches included
  std::size_t switches = 0;  ///< likewise
};

/// The fabric with the links and switches of the upper levels that its structure names as missing
/// (imagined_links.h). None where nothing is, where the fabric is no tree, or where so much would
/// have to be inferred (more than a fourth of what is there) that it is another fabric's structure.
/// O(channels * children of a switch + ports log nodes).
std::optional<InferredWhole> infer_whole(const Fabric& fabric);

/// What is inferred, as a clause for logs.
std::string describe(const InferredWhole& whole);

/// Tables for the fabric as it is, at a first start.
struct FirstTables {
  const ForwardingTables& tables;  ///< complete
  bool falls_short = false;        ///< of virtual lanes: they can deadlock
};

/// Why the baseline is the fabric as it is, and not the whole one: a clause; empty where
/// `repaired`, which are tables of the whole one repaired, may be handed over instead of `own`, the
/// engine's for the fabric as it is. They may be worth a fiftieth less, by a score without
/// simulation, and fall short of lanes only where the engine's own do, too. O(hops of the flows of
/// structured traffic).
std::string why_not_whole(const Fabric& fabric, const FirstTables& repaired,
                          const FirstTables& own);

}  // namespace pssp
