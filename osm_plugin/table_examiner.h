#pragma once

// Verifies tables before OpenSM gets them, and plans their virtual lanes.

#include <optional>

#include "osm_plugin/candidate_tables.h"
#include "osm_plugin/routing_memory.h"

namespace pssp {

class TableExaminer {
 public:
  /// All must outlive the examiner.
  TableExaminer(const ChooserOptions& options, RoutingMemory& memory, const RoutingLog& log)
      : options_(options), memory_(memory), log_(log) {}

  /// None if the tables are not usable; the reason is logged. Costs as verify() and plan_lanes().
  /// Throws Stopped.
  std::optional<CandidateTables> examine(const RoutingTask& task, ForwardingTables tables,
                                         const DeadlockOptions& deadlock, const StopSignal& stop);
  std::optional<CandidateTables> examine(const RoutingTask& task, ForwardingTables tables,
                                         const StopSignal& stop) {
    return examine(task, std::move(tables), options_.deadlock, stop);
  }

  /// The same of tables that were repaired from the baseline in the memory, if there is one.
  std::optional<CandidateTables> examine_repaired(const RoutingTask& task, ForwardingTables tables,
                                                  const StopSignal& stop);

 private:
  std::optional<CandidateTables> examine(const RoutingTask& task, ForwardingTables tables,
                                         const DeadlockOptions& deadlock,
                                         const EarlierLevels& earlier, const StopSignal& stop);
  bool verified(const Fabric& fabric, const ForwardingTables& tables,
                CandidateTables& candidate) const;

  const ChooserOptions& options_;
  RoutingMemory& memory_;
  const RoutingLog& log_;
};

}  // namespace pssp
