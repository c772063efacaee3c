#pragma once

// Computes candidate tables with several engines, and selects the best (engine "best").

#include <cstddef>
#include <vector>

#include "routing/engines/engine.h"
#include "routing/engines/parts/counts/table_score.h"
#include "routing/engines/parts/selection/selection.h"

namespace pssp {

/// Options: see docs/reference/engines/best.md.
extern const EngineDescription best_engine;

struct BestTables {
  ForwardingTables tables;
  std::vector<TriedConstruction> tried;
  std::size_t chosen = 0;              ///< index into `tried`
  std::vector<InferredLink> inferred;  ///< missing links of a damaged tree
};

/// Engine `best` with the caller's score. `options` are those of `best` and of the engines that it
/// uses. Calls `accept` of the request for the candidates, best first, and returns the first
/// accepted one, or the best if all are rejected. The fabric must have LIDs. Throws Error(usage),
/// Stopped.
BestTables find_best_tables(const Fabric& fabric, const EngineOptions& options,
                            const TableScore& score, const RouteRequest& request = {});

}  // namespace pssp
