#pragma once

// The best of all constructions that suit the fabric (engine "best").

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
  std::vector<InferredLink> inferred;  ///< links that a damaged tree was healed with
};

/// What engine `best` does, with a score of the caller's. `options` are those of `best` and of the
/// engines that it tries. The request's `accept` is asked for the best tables first, then for the
/// next; where none are accepted, the best are returned. Throws Error(usage), Stopped; the
/// fabric must have LIDs.
BestTables find_best_tables(const Fabric& fabric, const EngineOptions& options,
                            const TableScore& score, const RouteRequest& request = {});

}  // namespace pssp
