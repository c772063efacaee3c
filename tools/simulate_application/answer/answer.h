#pragma once

// Simulates the time of an application with forwarding tables, for simulate_application and for the
// Python module pssp.

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "applications/measure/critical_path.h"
#include "applications/networks/flow_network.h"
#include "applications/replay/replay_record.h"
#include "applications/schedule/playing.h"
#include "applications/schedule/schedule.h"
#include "base/stop_signal.h"
#include "evaluator/parallel/processes.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "fabric/tables/service_levels.h"
#include "tools/simulate_application/answer/question.h"
#include "tools/simulate_application/answer/report.h"

namespace pssp {

/// All pointers belong to the caller.
struct NamedTables {
  std::string name;
  const Fabric* fabric = nullptr;
  const ForwardingTables* tables = nullptr;  ///< null: for networks without tables
  const ServiceLevels* levels = nullptr;     ///< of packets; null: all have level 0
};

/// The state after simulating the first tables; valid only during the callback.
struct ReplayedTables {
  const NamedTables& input;
  const Schedule* schedule;    ///< null unless a critical path or the schedule was requested
  const ReplayRecord& record;  ///< empty unless a critical path was requested
  const CriticalPath& path;    ///< likewise
  const FlowNetwork* flows;    ///< null: another network
  ReplayTime time;             ///< end of the last operation
  std::string application;     ///< as in the report
};

/// Callbacks for the caller.
struct AnswerListener {
  /// Warnings from reading files and sharing links.
  std::function<void(const std::string&)> warn;
  std::function<void(const ReplayedTables&)> replayed{};  ///< may be empty
  StopSignal stop{};
};

struct ApplicationAnswer {
  ApplicationReport report;
  std::optional<Schedule> schedule;  ///< the simulated schedule, if requested
};

/// Simulates the application with each of the tables, and on a crossbar of the hosts of the first;
/// the network loggp needs no tables. Throws Error(usage), the errors of reading, Error(mismatch)
/// if tables have different hosts, Error(verification_failed) for a schedule that never ends;
/// Stopped, except for the network loggp. One thread; deterministic.
ApplicationAnswer answer(const ApplicationQuestion& question, std::span<const NamedTables> inputs,
                         const AnswerListener& caller);
/// The same, with simulations shared among processes, which all get the whole result. Also throws
/// the errors of Processes::together() and require_agreement().
ApplicationAnswer answer(const ApplicationQuestion& question, std::span<const NamedTables> inputs,
                         const AnswerListener& caller, Processes& processes);

}  // namespace pssp
