#pragma once

// The best of all constructions that suit the fabric (engine "best").

#include <string>
#include <vector>

#include "routing/engines/engine.h"
#include "routing/engines/parts/table_score.h"

namespace pssp {

/// Options: see docs/engines/best.md.
extern const EngineDescription best_engine;

/// What became of one construction.
struct TriedConstruction {
  std::string name;     ///< "cassp", or "cassp, relieved"
  double score = 0;     ///< as the TableScore says
  double index = 0;     ///< edge forwarding index
  std::string refusal;  ///< why it does not suit the fabric; score and index are then 0
  /// Free of deadlocks on one virtual lane, management traffic of switches included. Found out only
  /// of those that score the best but for the slack; else false.
  bool one_lane = false;
  bool turned_down = false;  ///< by the caller's Acceptance
};

struct BestTables {
  ForwardingTables tables;
  std::vector<TriedConstruction> tried;
  std::size_t chosen = 0;  ///< index into `tried`
};

/// What engine `best` does, with a score of the caller's. `options` are those of `best` and of the
/// engines that it tries. `accept` is asked for the best tables first, then for the next; empty:
/// all are accepted. Where none are, the best are returned. Throws Error(usage); the fabric must
/// have LIDs.
BestTables find_best_tables(const Fabric& fabric, const EngineOptions& options,
                            const TableScore& score, const Acceptance& accept = {});

}  // namespace pssp
