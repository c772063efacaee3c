#pragma once

// Tables from the baseline: the tables that the fabric has when nothing is missing. Each routing
// repairs the baseline for the fabric as it is (routing/repair/repair_tables.h), so that the tables
// return to the baseline when all parts are back (docs/explanation/incremental-rerouting.md).

#include <optional>
#include <string>

#include "osm_plugin/baseline_growth.h"
#include "osm_plugin/candidate_tables.h"
#include "osm_plugin/routing_memory.h"
#include "osm_plugin/scratch_router.h"
#include "osm_plugin/table_examiner.h"

namespace pssp {

class BaselineRouter {
 public:
  /// All must outlive the router.
  BaselineRouter(const ChooserOptions& options, RoutingMemory& memory, TableExaminer& examiner,
                 ScratchRouter& scratch, const RoutingLog& log)
      : options_(options),
        memory_(memory),
        examiner_(examiner),
        scratch_(scratch),
        log_(log),
        growth_(options, memory, examiner, scratch, log) {}

  /// The last tables, examined again. None if they are not usable.
  std::optional<CandidateTables> recheck(const RoutingTask& task) const;
  /// The baseline, or without one the last tables, repaired and with what is new in the fabric.
  /// Repaired interim tables are interim tables. If the baseline has less than half of the fabric:
  /// new_baseline(). None if the result is not usable or the repair meets a limit, which is logged.
  std::optional<CandidateTables> repair(const RoutingTask& task);
  /// The engine's tables, which are the baseline from then on if ChooserOptions::stable is set. On
  /// a tree with missing parts the baseline is that of the complete tree, and the tables are that
  /// baseline repaired. Tables of a substitute are no baseline the first time. `left` are tables
  /// that another subnet manager has left in the switches; or null. Throws what
  /// ScratchRouter::route() throws.
  std::optional<CandidateTables> new_baseline(const RoutingTask& task,
                                              const CandidateTables* left = nullptr);
  /// The last tables, which another subnet manager has left in the switches, if they are about as
  /// good as the engine's own after repair; else the engine's own. They become the baseline.
  std::optional<CandidateTables> take_over(const RoutingTask& task);

 private:
  std::optional<CandidateTables> tables_left_by_another(const RoutingTask& task) const;
  std::optional<CandidateTables> repair_within_limits(const RoutingTask& task);
  std::optional<CandidateTables> repair_interim(const RoutingTask& task) const;
  std::optional<CandidateTables> examine_repaired(const RoutingTask& task, StableRouting made,
                                                  const std::string& next_step) const;
  std::optional<CandidateTables> baseline_of_whole(const RoutingTask& task,
                                                   const CandidateTables& from_scratch,
                                                   const CandidateTables* left);
  std::optional<CandidateTables> repair_whole(const RoutingTask& task, const Fabric& whole);
  void make_baseline_of_last_tables(const RoutingTask& task);
  ForwardingTables last_tables_on(const Fabric& fabric) const;

  const ChooserOptions& options_;
  RoutingMemory& memory_;
  TableExaminer& examiner_;
  ScratchRouter& scratch_;
  const RoutingLog& log_;
  BaselineGrowth growth_;
};

}  // namespace pssp
