#pragma once

// Tables from the engine, computed without regard to earlier tables, within the limits of a
// routing.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "osm_plugin/candidate_tables.h"
#include "osm_plugin/routing_memory.h"
#include "osm_plugin/table_examiner.h"
#include "routing/engines/engine.h"

namespace pssp {

class ScratchRouter {
 public:
  /// `quick` routes when `engine` meets a limit; none: the engine is the fastest itself, and the
  /// limits end only its searches for lanes. The references must outlive the router.
  ScratchRouter(std::shared_ptr<const RoutingEngine> engine,
                std::shared_ptr<const RoutingEngine> quick, const ChooserOptions& options,
                const RoutingMemory& memory, TableExaminer& examiner, const RoutingLog& log)
      : engine_(std::move(engine)),
        quick_(std::move(quick)),
        options_(options),
        memory_(memory),
        examiner_(examiner),
        log_(log) {}

  /// Tables of the engine, or of the fastest engine if it meets a limit and OpenSM has no next
  /// engine. If lanes can be had, an engine with several candidates is asked for tables whose lanes
  /// suffice. With ChoiceLimits::defer_engine: interim tables, if some are usable and cannot
  /// deadlock. None if the tables are not usable. Throws what the engine throws, and
  /// Error(unsuitable_topology) if OpenSM's next engine must route.
  std::optional<CandidateTables> route(const RoutingTask& task);

  /// The engine's tables for another fabric, not examined. Throws what the engine throws, Stopped
  /// too.
  Routing compute(const Fabric& fabric, const StopSignal& stop) const {
    return engine_->route(fabric, {.stop = stop});
  }

 private:
  std::optional<CandidateTables> route_for_lanes(const RoutingTask& task, const StopSignal& stop);
  std::optional<CandidateTables> route_quickly(const RoutingTask& task, const std::string& why,
                                               std::string_view limit);
  std::optional<CandidateTables> route_interim(const RoutingTask& task);
  bool may_be_used(const LanePlan& plan) const;
  std::string log_notes(const RoutingNotes& notes) const;

  std::shared_ptr<const RoutingEngine> engine_, quick_;
  const ChooserOptions& options_;
  const RoutingMemory& memory_;
  TableExaminer& examiner_;
  const RoutingLog& log_;
};

}  // namespace pssp
