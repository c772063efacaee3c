#pragma once

// How long an application takes with forwarding tables: what simulate_application answers, and what
// the module pssp for Python does.

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

/// All that is pointed to is the caller's.
struct NamedTables {
  std::string name;
  const Fabric* fabric = nullptr;
  const ForwardingTables* tables = nullptr;  ///< null: for the networks that need none
  const ServiceLevels* levels = nullptr;     ///< of packets; null: all have level 0
};

/// What the play of the first tables leaves; all of it is gone when who is told returns.
struct ReplayedTables {
  const NamedTables& input;
  const Schedule* schedule;    ///< null unless a critical path or the schedule was asked for
  const ReplayRecord& record;  ///< empty unless a critical path was asked for
  const CriticalPath& path;    ///< likewise
  const FlowNetwork* flows;    ///< null: another network
  ReplayTime time;             ///< until the last operation ended
  std::string application;     ///< as the report has it
};

/// Who asked.
struct AnswerListener {
  /// What reading files and sharing links has to say.
  std::function<void(const std::string&)> warn;
  std::function<void(const ReplayedTables&)> replayed{};  ///< may be empty
  StopSignal stop{};
};

struct ApplicationAnswer {
  ApplicationReport report;
  std::optional<Schedule> schedule;  ///< that was simulated, where it was asked for
};

/// Plays the application with each of the tables, and on a crossbar of the hosts of the first; none
/// are needed for the network loggp. Throws Error(usage), what reading throws, Error(mismatch)
/// where tables have different hosts, Error(verification_failed) for a schedule that stands still;
/// Stopped, of the network loggp never. One thread; the same bytes for the same question.
ApplicationAnswer answer(const ApplicationQuestion& question, std::span<const NamedTables> inputs,
                         const AnswerListener& caller);
/// The same, with plays shared among processes, which all have the whole answer. Throws also as
/// Processes::together() and require_agreement().
ApplicationAnswer answer(const ApplicationQuestion& question, std::span<const NamedTables> inputs,
                         const AnswerListener& caller, Processes& processes);

}  // namespace pssp
