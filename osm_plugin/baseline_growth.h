#pragma once

// What happens to the baseline when the fabric has new hosts, switches or links.

#include <optional>

#include "osm_plugin/candidate_tables.h"
#include "osm_plugin/routing_memory.h"
#include "osm_plugin/scratch_router.h"
#include "osm_plugin/table_examiner.h"
#include "routing/repair/baseline.h"
#include "routing/repair/stable_rerouting.h"

namespace pssp {

/// Tables of `baseline`, which become the baseline, repaired for the fabric of the task. None if
/// they are not usable. Throws Stopped, and what pssp::repaired() throws.
std::optional<CandidateTables> route_from_baseline(const RoutingTask& task, SavedBaseline baseline,
                                                   const StableOptions& options,
                                                   TableExaminer& examiner);

/// Only with ChooserOptions::stable, and while there is a baseline.
class BaselineGrowth {
 public:
  /// All must outlive this object.
  BaselineGrowth(const ChooserOptions& options, RoutingMemory& memory, TableExaminer& examiner,
                 const ScratchRouter& scratch, const RoutingLog& log)
      : options_(options), memory_(memory), examiner_(examiner), scratch_(scratch), log_(log) {}

  /// The engine's tables for `larger`, the baseline with its new parts. None if the new parts are
  /// few, a new baseline is never wanted, or the engine fails, which is logged.
  std::optional<Routing> route_larger(const RoutingTask& task, const Baseline& larger);
  /// Replaces `larger`, and `made`, which are its tables repaired, if the baseline scores more with
  /// other entries for its new parts (other_growths()). A failure is logged.
  void use_better_growth(const RoutingTask& task, const ForwardingTables& from_scratch,
                         const ForwardingTables& in_force, Baseline& larger,
                         StableRouting& made) const;
  /// Logs gain and cost of a new baseline from `from_scratch`; its tables if they are wanted.
  std::optional<CandidateTables> compare_with_new_baseline(const RoutingTask& task,
                                                           const Baseline& larger,
                                                           Routing from_scratch) const;

 private:
  bool is_outgrown(const Baseline& larger) const;

  const ChooserOptions& options_;
  RoutingMemory& memory_;
  TableExaminer& examiner_;
  const ScratchRouter& scratch_;
  const RoutingLog& log_;
};

}  // namespace pssp
