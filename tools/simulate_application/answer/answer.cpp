// The same schedule is simulated with each of the tables, and on a crossbar of the same hosts as a
// reference. A schedule that never ends is an error.

#include "tools/simulate_application/answer/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "applications/formats/goal_file.h"
#include "applications/measure/critical_path.h"
#include "applications/networks/flow_network.h"
#include "applications/replay/loggp.h"
#include "applications/replay/network_replay.h"
#include "base/error.h"
#include "fabric/input/fabric_input.h"
#include "simulator/run/player_network.h"
#include "tools/simulate_application/answer/adaptive.h"
#include "tools/simulate_application/answer/application_spec.h"
#include "tools/simulate_application/answer/jobs.h"
#include "tools/simulate_application/answer/processes.h"
#include "tools/simulate_application/answer/rank_hosts.h"

namespace pssp {
namespace {

unsigned rank_count_of(const ApplicationQuestion& question, std::size_t hosts) {
  const auto ranks = question.ranks != 0 ? question.ranks : static_cast<unsigned>(hosts);
  constexpr unsigned least = 2;
  if (ranks < least) {
    throw Error(ErrorKind::usage, "an application needs at least two ranks: --ranks N");
  }
  return ranks;
}

Schedule read_schedule(const ApplicationQuestion& question, const AnswerListener& caller) {
  if (question.ranks != 0) {
    throw Error(ErrorKind::usage,
                "--ranks needs --application; a GOAL file sets the number of ranks itself");
  }
  GoalText goal = read_goal_file(question.goal);
  for (const std::string& each : goal.warnings) caller.warn(each);
  return Schedule(std::move(goal.ranks));
}

/// Whether all operations are needed at once: for a schedule without links, for an analysis after
/// the simulation, or for writing it.
bool needs_schedule(const ApplicationQuestion& question) {
  return question.network == "loggp" || question.critical_path || question.first_critical_path ||
         question.keep_schedule;
}

void require_end(const ReplayResult& result, const std::string& tables) {
  if (result.standing_still.empty()) return;
  std::string text = fmt::format(
      "{}the application stops after {} operations: sends without a matching receive or receives "
      "without a matching send; waiting operations:",
      tables.empty() ? "" : tables + ": ", result.operations);
  for (const std::string& operation : result.standing_still) text += "\n  " + operation;
  throw Error(ErrorKind::verification_failed, text);
}

/// With 1/n sharing, flows are up to a quarter slower than packets if ranks run ahead.
void warn_of_sharing(const ApplicationQuestion& question, std::uint64_t messages,
                     const TablesTime& run, const AnswerListener& caller) {
  constexpr double most = 0.1;
  const double share = static_cast<double>(run.result.eager_together) /
                       static_cast<double>(std::max<std::uint64_t>(messages, 1));
  if (question.sharing != LinkSharing::equal || share <= most) return;
  constexpr double percent = 100;
  caller.warn(
      fmt::format("{}: {:.0f} % of the messages were eager and overlapped another message of their "
                  "sender; equal sharing overestimates their time; use --sharing max-min",
                  run.tables, share * percent));
}

/// The simulated operations and their hosts.
struct Replay {
  std::optional<Schedule> schedule;        ///< all operations; none: created as they become ready
  std::optional<Application> application;  ///< their source
  ApplicationExtent extent{};              ///< of it
  RankPlacement positions{};               ///< with the first seed
  std::vector<JobOnHosts> jobs{};          ///< empty: a single application
  std::vector<ReplayTime> starts{};        ///< of jobs, by rank
  std::vector<std::uint32_t> job_of_operation{};  ///< likewise
  std::vector<std::uint32_t> first_rank{};        ///< likewise

  std::uint32_t ranks() const { return schedule ? schedule->rank_count() : application->ranks; }
  std::uint64_t messages() const { return schedule ? schedule->message_count() : extent.messages; }
  double bytes() const { return schedule ? schedule->byte_count() : extent.bytes; }
  bool names_other_adapters() const {
    return schedule ? names_adapters(*schedule) : extent.adapter != 0;
  }
  ReplayResult on(MessageNetwork& network, const MessageCosts& costs, const RankPlacement& where,
                  const NetworkReplayOptions& options) const {
    return schedule ? replay_on_network(*schedule, costs, network, where, options)
                    : replay_on_network(*application, extent, costs, network, where, options);
  }
};

/// Without the positions.
Replay make_single(const ApplicationQuestion& question, std::size_t hosts,
                   const AnswerListener& caller) {
  Replay replay;
  if (!question.goal.empty()) {
    replay.schedule.emplace(read_schedule(question, caller));
    return replay;
  }
  Application application =
      make_application(question.application, rank_count_of(question, hosts), question.seed);
  if (needs_schedule(question)) {
    replay.schedule.emplace(written(application));
  } else {
    replay.extent = extent_of(application);
    replay.application = std::move(application);
  }
  return replay;
}

Replay make_joint(const ApplicationQuestion& question, const Fabric& fabric,
                  const AnswerListener& caller) {
  std::vector<std::string> warnings;
  Replay replay;
  replay.jobs = read_jobs(question.jobs, fabric, question.seed, warnings);
  for (const std::string& each : warnings) caller.warn(each);
  JointJobs joint = join(replay.jobs);
  replay.positions =
      with_adapters(fabric, std::move(joint.positions.hosts), names_adapters(joint.schedule));
  replay.schedule.emplace(std::move(joint.schedule));
  replay.starts = std::move(joint.starts);
  replay.job_of_operation = std::move(joint.job_of_operation);
  replay.first_rank = std::move(joint.first_rank);
  return replay;
}

RankPlacement placed(const ApplicationQuestion& question, const Fabric& fabric,
                     const Replay& replay, std::vector<EndPortId> hosts) {
  hosts = place_on_hosts(hosts, replay.ranks(), question.ranks_per_host, question.cyclic);
  return with_adapters(fabric, std::move(hosts), replay.names_other_adapters());
}

Replay make_replay(const ApplicationQuestion& question, const Fabric* fabric,
                   const AnswerListener& caller) {
  if (fabric == nullptr) return make_single(question, 0, caller);
  if (!question.jobs.empty()) return make_joint(question, *fabric, caller);
  std::vector<std::string> warnings;
  std::vector<EndPortId> hosts = choose_hosts(*fabric, question, question.seed, warnings);
  for (const std::string& each : warnings) caller.warn(each);
  Replay replay = make_single(question, hosts.size() * question.ranks_per_host, caller);
  replay.positions = placed(question, *fabric, replay, std::move(hosts));
  return replay;
}

/// Tables, and adaptive routing; null: none.
struct ReplayedInput {
  const NamedTables& named;
  const AdaptiveRouting* adaptive;
};

/// Exactly one of both exists.
struct NetworkOfTables {
  std::unique_ptr<FlowNetwork> flows;
  std::unique_ptr<PacketNetwork> packets;

  MessageNetwork& any() { return flows ? static_cast<MessageNetwork&>(*flows) : *packets; }
};
NetworkOfTables network_of(const ApplicationQuestion& question, const ReplayedInput& replayed,
                           const RankPlacement& positions) {
  const NamedTables& input = replayed.named;
  NetworkOfTables network;
  if (question.network != "packets") {
    network.flows =
        std::make_unique<FlowNetwork>(*input.fabric, input.tables, PathDelays{}, question.sharing);
    return network;
  }
  std::vector<EndPortId> hosts = positions.hosts;
  for (const std::vector<EndPortId>& node : positions.adapters) {
    hosts.insert(hosts.end(), node.begin(), node.end());
  }
  const PacketRules rules{input.levels, question.congestion ? &*question.congestion : nullptr,
                          replayed.adaptive, question.later};
  network.packets =
      std::make_unique<PacketNetwork>(*input.fabric, *input.tables, question.model, hosts, rules);
  return network;
}

/// A job's level determines the lane of packets, and routes have their own levels.
void require_levels_that_count(const ApplicationQuestion& question, const Replay& replay,
                               std::span<const NamedTables> inputs) {
  const auto has_level = [](const JobOnHosts& job) { return job.level != 0; };
  const auto found = std::ranges::find_if(replay.jobs, has_level);
  if (found == replay.jobs.end()) return;
  const bool is_packets = question.network == "packets";
  if (is_packets && (inputs.empty() || inputs.front().levels == nullptr)) return;
  throw Error(
      ErrorKind::usage,
      fmt::format("--job '{}': {}", found->text,
                  is_packets ? "'sl' conflicts with --service-levels; leave out one of the two"
                             : "service levels need --network packets"));
}

std::vector<std::uint8_t> levels_of_operations(const Replay& replay) {
  std::vector<std::uint8_t> levels;
  for (const std::uint32_t job : replay.job_of_operation) levels.push_back(replay.jobs[job].level);
  return levels;
}

/// Of all jobs together, and of each alone.
std::vector<JobTime> job_times(const ApplicationQuestion& question, const Replay& replay,
                               const ReplayedInput& input, const ReplayResult& together,
                               const FlowNetwork* flows, const AnswerListener& caller) {
  std::vector<JobTime> times;
  for (std::uint32_t j = 0; j < replay.jobs.size(); ++j) {
    const JobOnHosts& job = replay.jobs[j];
    JobTime& time = times.emplace_back();
    for (std::uint32_t r = replay.first_rank[j]; r < replay.first_rank[j + 1]; ++r) {
      time.together = std::max(time.together, together.rank_ends[r] - job.start);
    }
    NetworkReplayOptions alone;
    alone.compute_scale = question.compute_scale;
    alone.stop = caller.stop;
    const RankPlacement positions =
        with_adapters(*input.named.fabric, job.hosts, names_adapters(job.schedule));
    NetworkOfTables network = network_of(question, input, positions);
    if (network.packets) {
      network.packets->set_levels(
          std::vector<std::uint8_t>(job.schedule.operation_count(), job.level));
    }
    time.alone =
        replay_on_network(job.schedule, question.costs, network.any(), positions, alone).time;
    if (flows == nullptr) continue;
    double all = 0;
    for (std::uint32_t by = 0; by < replay.jobs.size(); ++by) all += flows->held_up(j, by);
    for (std::uint32_t by = 0; by < replay.jobs.size(); ++by) {
      time.held_up_by.push_back(all > 0 ? flows->held_up(j, by) / all : 0);
    }
  }
  return times;
}

NetworkReplayOptions replay_options(const ApplicationQuestion& question, const Replay& replay,
                                    const AnswerListener& caller) {
  NetworkReplayOptions result;
  result.compute_scale = question.compute_scale;
  result.starts = replay.starts;
  result.stop = caller.stop;
  return result;
}

/// The name of the simulated application in the report.
std::string application_name(const ApplicationQuestion& question) {
  if (!question.goal.empty()) return question.goal;
  if (!question.application.empty()) return question.application;
  return fmt::format("{} jobs", question.jobs.size());
}

TablesTime replay_tables(const ApplicationQuestion& question, const Replay& replay,
                         const RankPlacement& positions, const ReplayedInput& replayed,
                         bool is_first, const AnswerListener& caller) {
  const NamedTables& input = replayed.named;
  NetworkOfTables network = network_of(question, replayed, positions);
  if (!replay.jobs.empty() && network.flows) {
    network.flows->watch_groups(replay.job_of_operation,
                                static_cast<std::uint32_t>(replay.jobs.size()));
  }
  if (network.packets) network.packets->set_levels(levels_of_operations(replay));
  NetworkReplayOptions configured = replay_options(question, replay, caller);
  ReplayRecord record;
  const bool is_displayed = is_first && caller.replayed;
  if (question.critical_path || (is_displayed && question.first_critical_path))
    configured.record = &record;
  TablesTime run{input.name, replay.on(network.any(), question.costs, positions, configured)};
  require_end(run.result, input.name);
  if (network.packets) {
    network.packets->check_conservation();
    run.events = network.packets->events();
    run.packets = network.packets->packets();
    run.overtaken = network.packets->overtaken();
    run.notifications = network.packets->notifications();
    run.losses = network.packets->losses();
  }
  run.jobs = job_times(question, replay, replayed, run.result, network.flows.get(), caller);
  CriticalPath path;
  if (configured.record != nullptr) path = critical_path(*replay.schedule, record);
  if (question.critical_path) run.path = path_report(*replay.schedule, record, path);
  if (is_displayed) {
    caller.replayed({input, replay.schedule ? &*replay.schedule : nullptr, record, path,
                     network.flows.get(), run.result.time, application_name(question)});
  }
  return run;
}

/// All simulations of one seed, in columns: each of the tables, then the crossbar, then all minimal
/// paths if requested.
class SeedReplays {
 public:
  SeedReplays(const ApplicationQuestion& question, const Replay& replay,
              std::span<const NamedTables> inputs, const AdaptiveReplays& adaptive,
              const AnswerListener& caller)
      : question_(question),
        replay_(replay),
        adaptive_(adaptive),
        inputs_(question.network == "crossbar" ? inputs.first(0) : inputs),
        fabric_(*inputs.front().fabric),
        caller_(caller) {}

  std::size_t columns() const { return inputs_.size() + (question_.spread ? 2 : 1); }

  TablesTime replay(std::size_t seed, std::size_t column) const {
    const RankPlacement positions = positions_of(seed);
    if (column < inputs_.size()) {
      return replay_tables(question_, replay_, positions, {inputs_[column], adaptive_.of(column)},
                           seed == 0 && column == 0, caller_);
    }
    const bool spread = column > inputs_.size();
    FlowNetwork network(fabric_, nullptr, {}, spread ? LinkSharing::equal : question_.sharing,
                        spread);
    const NetworkReplayOptions options = replay_options(question_, replay_, caller_);
    TablesTime run{"", replay_.on(network, question_.costs, positions, options)};
    require_end(run.result, "");
    return run;
  }

  /// Adds the columns of another seed.
  void report(std::size_t seed, std::span<TablesTime> columns, ApplicationReport& report) const {
    const ReplayTime crossbar = columns[inputs_.size()].result.time;
    report.seeds = seed + 1;
    for (std::size_t i = 0; i < std::max<std::size_t>(inputs_.size(), 1); ++i) {
      TablesTime& run = columns[i];
      if (!inputs_.empty()) run.tables = inputs_[i].name;
      run.seed = question_.seed + seed;
      run.crossbar = crossbar;
      if (seed == 0 && question_.network == "flows") {
        warn_of_sharing(question_, replay_.messages(), run, caller_);
      }
      report.runs.push_back(std::move(run));
    }
    if (question_.spread) report.spread.push_back(columns.back().result.time);
  }

 private:
  RankPlacement positions_of(std::size_t seed) const {
    if (seed == 0) return replay_.positions;
    std::vector<std::string> warned_of_before;
    return placed(question_, fabric_, replay_,
                  choose_hosts(fabric_, question_, question_.seed + seed, warned_of_before));
  }

  const ApplicationQuestion& question_;
  const Replay& replay_;
  const AdaptiveReplays& adaptive_;
  std::span<const NamedTables> inputs_;
  const Fabric& fabric_;
  const AnswerListener& caller_;
};

/// Each process simulates its share of the seeds' columns; then all have all results.
void replay_seeds(std::size_t first, std::size_t count, const SeedReplays& replays,
                  Processes& processes, ApplicationReport& report) {
  const std::size_t columns = replays.columns();
  const Share own = processes.share(count * columns);
  std::vector<TablesTime> replayed = processes.together([&] {
    std::vector<TablesTime> mine;
    for (std::size_t i = own.first; i < own.first + own.count; ++i) {
      mine.push_back(replays.replay(first + i / columns, i % columns));
    }
    return mine;
  });
  replayed = gather_times(std::move(replayed), processes);
  for (std::size_t s = 0; s < count; ++s) {
    replays.report(first + s, std::span(replayed).subspan(s * columns, columns), report);
  }
}

void replay_with_tables(const ApplicationQuestion& question, const Replay& replay,
                        std::span<const NamedTables> inputs, const AdaptiveReplays& adaptive,
                        const AnswerListener& caller, Processes& processes,
                        ApplicationReport& report) {
  const SeedReplays replays(question, replay, inputs, adaptive, caller);
  constexpr std::size_t least_for_precision = 3, most_for_precision = 64;
  const bool by_precision = question.precision > 0;
  std::size_t next = std::max<std::size_t>(question.seeds, by_precision ? least_for_precision : 1);
  for (std::size_t before = 0; next != 0; before = report.seeds) {
    replay_seeds(before, next, replays, processes, report);
    if (!by_precision || is_precise(report, question.precision)) break;
    next = report.seeds < most_for_precision
               ? std::min(report.seeds, most_for_precision - report.seeds)
               : 0;
  }
}

std::vector<ChangeSummary> changes_of(const ApplicationQuestion& question,
                                      std::span<const NamedTables> inputs) {
  if (question.later == nullptr) return {};
  const NamedTables& first = inputs.front();
  return summarize_changes({*first.fabric, *first.tables}, *question.later);
}

std::string order_name(const ApplicationQuestion& question) {
  if (question.network == "loggp" || !question.jobs.empty()) return {};
  return question.ranks_on.empty() ? question.order : question.ranks_on;
}

}  // namespace

ApplicationAnswer answer(const ApplicationQuestion& question, std::span<const NamedTables> inputs,
                         const AnswerListener& caller) {
  Processes alone;
  return answer(question, inputs, caller, alone);
}

ApplicationAnswer answer(const ApplicationQuestion& question, std::span<const NamedTables> inputs,
                         const AnswerListener& caller, Processes& processes) {
  const bool has_links = question.network != "loggp";
  Replay replay = processes.together([&] {
    for (const NamedTables& other : inputs)
      require_same_hosts(inputs.front().name, *inputs.front().fabric, other.name, *other.fabric);
    Replay made = make_replay(question, has_links ? inputs.front().fabric : nullptr, caller);
    require_levels_that_count(question, made, inputs);
    return made;
  });
  const AdaptiveReplays adaptive =
      processes.together([&] { return AdaptiveReplays(question, inputs, caller.warn); });
  ApplicationReport report{.application = application_name(question),
                           .network = question.network,
                           .order = order_name(question),
                           .adaptive = question.adaptive,
                           .changes = changes_of(question, inputs),
                           .congestion = question.congestion_set,
                           .seed = question.seed,
                           .ranks = replay.ranks(),
                           .messages = replay.messages(),
                           .bytes = replay.bytes(),
                           .costs = question.costs,
                           .sharing = question.sharing};
  for (const JobOnHosts& job : replay.jobs) report.jobs.push_back(job.text);
  require_same_question(processes, question, inputs, adaptive.digest(), report);
  if (has_links) {
    replay_with_tables(question, replay, inputs, adaptive, caller, processes, report);
  } else {
    report.runs.push_back(processes.together([&] {
      TablesTime run{"", replay_loggp(*replay.schedule, question.costs)};
      require_end(run.result, "");
      return run;
    }));
  }
  return {std::move(report), std::move(replay.schedule)};
}

}  // namespace pssp
