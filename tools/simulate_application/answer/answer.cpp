// The same schedule is played with each of the tables, and on a crossbar of the same hosts, which
// is what the tables are measured by. What stands still has no time, so it is an error and no
// answer.

#include "tools/simulate_application/answer/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "applications/formats/goal_file.h"
#include "applications/measure/critical_path.h"
#include "applications/networks/flow_network.h"
#include "applications/play/loggp.h"
#include "applications/play/network_play.h"
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

/// Whether all operations have to be there at once: who plays a schedule without links, looks back
/// on a play, or writes it.
bool needs_schedule(const ApplicationQuestion& question) {
  return question.network == "loggp" || question.critical_path || question.first_critical_path ||
         question.keep_schedule;
}

void require_end(const PlayResult& result, const std::string& tables) {
  if (result.standing_still.empty()) return;
  std::string text = fmt::format(
      "{}the application stops after {} operations: sends without a matching receive or receives "
      "without a matching send; waiting operations:",
      tables.empty() ? "" : tables + ": ", result.operations);
  for (const std::string& operation : result.standing_still) text += "\n  " + operation;
  throw Error(ErrorKind::verification_failed, text);
}

/// Flows that share by 1/n are up to a quarter slower than packets where ranks run ahead.
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

/// What is played on which hosts.
struct Play {
  std::optional<Schedule> schedule;        ///< all operations; none: they are made as they are free
  std::optional<Application> application;  ///< that makes them
  ApplicationExtent extent{};              ///< of it
  RankPlaces places{};                     ///< with the first seed
  std::vector<JobOnHosts> jobs{};          ///< none: a single application
  std::vector<PlayTime> starts{};          ///< of jobs, for each rank
  std::vector<std::uint32_t> job_of_operation{};  ///< likewise
  std::vector<std::uint32_t> first_rank{};        ///< likewise

  std::uint32_t ranks() const { return schedule ? schedule->rank_count() : application->ranks; }
  std::uint64_t messages() const { return schedule ? schedule->message_count() : extent.messages; }
  double bytes() const { return schedule ? schedule->byte_count() : extent.bytes; }
  bool names_other_adapters() const {
    return schedule ? names_adapters(*schedule) : extent.adapter != 0;
  }
  PlayResult on(MessageNetwork& network, const MessageCosts& costs, const RankPlaces& where,
                const NetworkPlayOptions& options) const {
    return schedule ? play_on_network(*schedule, costs, network, where, options)
                    : play_on_network(*application, extent, costs, network, where, options);
  }
};

/// Without its places.
Play make_single(const ApplicationQuestion& question, std::size_t hosts,
                 const AnswerListener& caller) {
  Play play;
  if (!question.goal.empty()) {
    play.schedule.emplace(read_schedule(question, caller));
    return play;
  }
  Application application =
      make_application(question.application, rank_count_of(question, hosts), question.seed);
  if (needs_schedule(question)) {
    play.schedule.emplace(written(application));
  } else {
    play.extent = extent_of(application);
    play.application = std::move(application);
  }
  return play;
}

Play make_joint(const ApplicationQuestion& question, const Fabric& fabric,
                const AnswerListener& caller) {
  std::vector<std::string> warnings;
  Play play;
  play.jobs = read_jobs(question.jobs, fabric, question.seed, warnings);
  for (const std::string& each : warnings) caller.warn(each);
  JointJobs joint = join(play.jobs);
  play.places =
      with_adapters(fabric, std::move(joint.places.hosts), names_adapters(joint.schedule));
  play.schedule.emplace(std::move(joint.schedule));
  play.starts = std::move(joint.starts);
  play.job_of_operation = std::move(joint.job_of_operation);
  play.first_rank = std::move(joint.first_rank);
  return play;
}

RankPlaces placed(const ApplicationQuestion& question, const Fabric& fabric, const Play& play,
                  std::vector<EndPortId> hosts) {
  hosts = place_on_hosts(hosts, play.ranks(), question.ranks_per_host, question.cyclic);
  return with_adapters(fabric, std::move(hosts), play.names_other_adapters());
}

Play make_play(const ApplicationQuestion& question, const Fabric* fabric,
               const AnswerListener& caller) {
  if (fabric == nullptr) return make_single(question, 0, caller);
  if (!question.jobs.empty()) return make_joint(question, *fabric, caller);
  std::vector<std::string> warnings;
  std::vector<EndPortId> hosts = choose_hosts(*fabric, question, question.seed, warnings);
  for (const std::string& each : warnings) caller.warn(each);
  Play play = make_single(question, hosts.size() * question.ranks_per_host, caller);
  play.places = placed(question, *fabric, play, std::move(hosts));
  return play;
}

/// Tables, and how packets choose beside them; null: not at all.
struct PlayedInput {
  const NamedTables& named;
  const AdaptiveRouting* adaptive;
};

/// One of both is there.
struct NetworkOfTables {
  std::unique_ptr<FlowNetwork> flows;
  std::unique_ptr<PacketNetwork> packets;

  MessageNetwork& any() { return flows ? static_cast<MessageNetwork&>(*flows) : *packets; }
};
NetworkOfTables network_of(const ApplicationQuestion& question, const PlayedInput& played,
                           const RankPlaces& places) {
  const NamedTables& input = played.named;
  NetworkOfTables network;
  if (question.network != "packets") {
    network.flows =
        std::make_unique<FlowNetwork>(*input.fabric, input.tables, WayDelays{}, question.sharing);
    return network;
  }
  std::vector<EndPortId> hosts = places.hosts;
  for (const std::vector<EndPortId>& node : places.adapters) {
    hosts.insert(hosts.end(), node.begin(), node.end());
  }
  const PacketRules rules{input.levels, question.congestion ? &*question.congestion : nullptr,
                          played.adaptive, question.later};
  network.packets =
      std::make_unique<PacketNetwork>(*input.fabric, *input.tables, question.model, hosts, rules);
  return network;
}

/// A job's level is a lane's among packets, and routes have levels of their own.
void require_levels_that_count(const ApplicationQuestion& question, const Play& play,
                               std::span<const NamedTables> inputs) {
  const auto has_level = [](const JobOnHosts& job) { return job.level != 0; };
  const auto found = std::ranges::find_if(play.jobs, has_level);
  if (found == play.jobs.end()) return;
  const bool is_packets = question.network == "packets";
  if (is_packets && (inputs.empty() || inputs.front().levels == nullptr)) return;
  throw Error(
      ErrorKind::usage,
      fmt::format("--job '{}': {}", found->text,
                  is_packets ? "'sl' conflicts with --service-levels; leave out one of the two"
                             : "service levels need --network packets"));
}

std::vector<std::uint8_t> levels_of_operations(const Play& play) {
  std::vector<std::uint8_t> levels;
  for (const std::uint32_t job : play.job_of_operation) levels.push_back(play.jobs[job].level);
  return levels;
}

/// Of all jobs together, and of each alone.
std::vector<JobTime> job_times(const ApplicationQuestion& question, const Play& play,
                               const PlayedInput& input, const PlayResult& together,
                               const FlowNetwork* flows, const AnswerListener& caller) {
  std::vector<JobTime> times;
  for (std::uint32_t j = 0; j < play.jobs.size(); ++j) {
    const JobOnHosts& job = play.jobs[j];
    JobTime& time = times.emplace_back();
    for (std::uint32_t r = play.first_rank[j]; r < play.first_rank[j + 1]; ++r) {
      time.together = std::max(time.together, together.rank_ends[r] - job.start);
    }
    NetworkPlayOptions alone;
    alone.compute_scale = question.compute_scale;
    alone.stop = caller.stop;
    const RankPlaces places =
        with_adapters(*input.named.fabric, job.hosts, names_adapters(job.schedule));
    NetworkOfTables network = network_of(question, input, places);
    if (network.packets) {
      network.packets->set_levels(
          std::vector<std::uint8_t>(job.schedule.operation_count(), job.level));
    }
    time.alone = play_on_network(job.schedule, question.costs, network.any(), places, alone).time;
    if (flows == nullptr) continue;
    double all = 0;
    for (std::uint32_t by = 0; by < play.jobs.size(); ++by) all += flows->held_up(j, by);
    for (std::uint32_t by = 0; by < play.jobs.size(); ++by) {
      time.held_up_by.push_back(all > 0 ? flows->held_up(j, by) / all : 0);
    }
  }
  return times;
}

NetworkPlayOptions play_options(const ApplicationQuestion& question, const Play& play,
                                const AnswerListener& caller) {
  NetworkPlayOptions result;
  result.compute_scale = question.compute_scale;
  result.starts = play.starts;
  result.stop = caller.stop;
  return result;
}

/// What the report calls what is played.
std::string application_name(const ApplicationQuestion& question) {
  if (!question.goal.empty()) return question.goal;
  if (!question.application.empty()) return question.application;
  return fmt::format("{} jobs", question.jobs.size());
}

TablesTime play_tables(const ApplicationQuestion& question, const Play& play,
                       const RankPlaces& places, const PlayedInput& played, bool is_first,
                       const AnswerListener& caller) {
  const NamedTables& input = played.named;
  NetworkOfTables network = network_of(question, played, places);
  if (!play.jobs.empty() && network.flows) {
    network.flows->watch_groups(play.job_of_operation,
                                static_cast<std::uint32_t>(play.jobs.size()));
  }
  if (network.packets) network.packets->set_levels(levels_of_operations(play));
  NetworkPlayOptions told = play_options(question, play, caller);
  PlayRecord record;
  const bool is_shown = is_first && caller.played;
  if (question.critical_path || (is_shown && question.first_critical_path)) told.record = &record;
  TablesTime run{input.name, play.on(network.any(), question.costs, places, told)};
  require_end(run.result, input.name);
  if (network.packets) {
    network.packets->check_conservation();
    run.events = network.packets->events();
    run.packets = network.packets->packets();
    run.overtaken = network.packets->overtaken();
    run.notifications = network.packets->notifications();
    run.losses = network.packets->losses();
  }
  run.jobs = job_times(question, play, played, run.result, network.flows.get(), caller);
  CriticalPath path;
  if (told.record != nullptr) path = critical_path(*play.schedule, record);
  if (question.critical_path) run.path = path_report(*play.schedule, record, path);
  if (is_shown) {
    caller.played({input, play.schedule ? &*play.schedule : nullptr, record, path,
                   network.flows.get(), run.result.time, application_name(question)});
  }
  return run;
}

/// All that is played of one seed, in columns: each of the tables, then the crossbar, then all
/// minimal ways where they are asked for.
class SeedPlays {
 public:
  SeedPlays(const ApplicationQuestion& question, const Play& play,
            std::span<const NamedTables> inputs, const AdaptivePlays& adaptive,
            const AnswerListener& caller)
      : question_(question),
        play_(play),
        adaptive_(adaptive),
        inputs_(question.network == "crossbar" ? inputs.first(0) : inputs),
        fabric_(*inputs.front().fabric),
        caller_(caller) {}

  std::size_t columns() const { return inputs_.size() + (question_.spread ? 2 : 1); }

  TablesTime play(std::size_t seed, std::size_t column) const {
    const RankPlaces places = places_of(seed);
    if (column < inputs_.size()) {
      return play_tables(question_, play_, places, {inputs_[column], adaptive_.of(column)},
                         seed == 0 && column == 0, caller_);
    }
    const bool spread = column > inputs_.size();
    FlowNetwork network(fabric_, nullptr, {}, spread ? LinkSharing::equal : question_.sharing,
                        spread);
    const NetworkPlayOptions options = play_options(question_, play_, caller_);
    TablesTime run{"", play_.on(network, question_.costs, places, options)};
    require_end(run.result, "");
    return run;
  }

  /// The columns of one more seed.
  void report(std::size_t seed, std::span<TablesTime> columns, ApplicationReport& report) const {
    const PlayTime crossbar = columns[inputs_.size()].result.time;
    report.seeds = seed + 1;
    for (std::size_t i = 0; i < std::max<std::size_t>(inputs_.size(), 1); ++i) {
      TablesTime& run = columns[i];
      if (!inputs_.empty()) run.tables = inputs_[i].name;
      run.seed = question_.seed + seed;
      run.crossbar = crossbar;
      if (seed == 0 && question_.network == "flows") {
        warn_of_sharing(question_, play_.messages(), run, caller_);
      }
      report.runs.push_back(std::move(run));
    }
    if (question_.spread) report.spread.push_back(columns.back().result.time);
  }

 private:
  RankPlaces places_of(std::size_t seed) const {
    if (seed == 0) return play_.places;
    std::vector<std::string> warned_of_before;
    return placed(question_, fabric_, play_,
                  choose_hosts(fabric_, question_, question_.seed + seed, warned_of_before));
  }

  const ApplicationQuestion& question_;
  const Play& play_;
  const AdaptivePlays& adaptive_;
  std::span<const NamedTables> inputs_;
  const Fabric& fabric_;
  const AnswerListener& caller_;
};

/// Each process plays its share of the seeds' columns; then all have all of them.
void play_seeds(std::size_t first, std::size_t count, const SeedPlays& plays, Processes& processes,
                ApplicationReport& report) {
  const std::size_t columns = plays.columns();
  const Share own = processes.share(count * columns);
  std::vector<TablesTime> played = processes.together([&] {
    std::vector<TablesTime> mine;
    for (std::size_t i = own.first; i < own.first + own.count; ++i) {
      mine.push_back(plays.play(first + i / columns, i % columns));
    }
    return mine;
  });
  played = gather_times(std::move(played), processes);
  for (std::size_t s = 0; s < count; ++s) {
    plays.report(first + s, std::span(played).subspan(s * columns, columns), report);
  }
}

void play_with_tables(const ApplicationQuestion& question, const Play& play,
                      std::span<const NamedTables> inputs, const AdaptivePlays& adaptive,
                      const AnswerListener& caller, Processes& processes,
                      ApplicationReport& report) {
  const SeedPlays plays(question, play, inputs, adaptive, caller);
  constexpr std::size_t least_for_precision = 3, most_for_precision = 64;
  const bool by_precision = question.precision > 0;
  std::size_t next = std::max<std::size_t>(question.seeds, by_precision ? least_for_precision : 1);
  for (std::size_t before = 0; next != 0; before = report.seeds) {
    play_seeds(before, next, plays, processes, report);
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
  Play play = processes.together([&] {
    for (const NamedTables& other : inputs)
      require_same_hosts(inputs.front().name, *inputs.front().fabric, other.name, *other.fabric);
    Play made = make_play(question, has_links ? inputs.front().fabric : nullptr, caller);
    require_levels_that_count(question, made, inputs);
    return made;
  });
  const AdaptivePlays adaptive =
      processes.together([&] { return AdaptivePlays(question, inputs, caller.warn); });
  ApplicationReport report{.application = application_name(question),
                           .network = question.network,
                           .order = order_name(question),
                           .adaptive = question.adaptive,
                           .changes = changes_of(question, inputs),
                           .congestion = question.congestion_set,
                           .seed = question.seed,
                           .ranks = play.ranks(),
                           .messages = play.messages(),
                           .bytes = play.bytes(),
                           .costs = question.costs,
                           .sharing = question.sharing};
  for (const JobOnHosts& job : play.jobs) report.jobs.push_back(job.text);
  require_same_question(processes, question, inputs, adaptive.digest(), report);
  if (has_links) {
    play_with_tables(question, play, inputs, adaptive, caller, processes, report);
  } else {
    report.runs.push_back(processes.together([&] {
      TablesTime run{"", play_loggp(*play.schedule, question.costs)};
      require_end(run.result, "");
      return run;
    }));
  }
  return {std::move(report), std::move(play.schedule)};
}

}  // namespace pssp
