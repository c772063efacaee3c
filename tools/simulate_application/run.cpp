// The same schedule is played with each of the tables, and on a crossbar of the same hosts, which
// is what the tables are measured by. What stands still has no time, so it is an error and no
// answer.

#include "tools/simulate_application/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "applications/formats/goal_file.h"
#include "applications/measure/critical_path.h"
#include "applications/networks/flow_network.h"
#include "applications/play/loggp.h"
#include "applications/play/network_play.h"
#include "base/error.h"
#include "evaluator/pictures/external_program.h"
#include "evaluator/pictures/fabric_map.h"
#include "fabric/input/fabric_input.h"
#include "simulator/run/player_network.h"
#include "tools/kit/report.h"
#include "tools/simulate_application/application_spec.h"
#include "tools/simulate_application/jobs.h"
#include "tools/simulate_application/rank_hosts.h"
#include "tools/simulate_application/report.h"
#include "tools/simulate_application/timeline.h"
#include "tools/simulation/picture_format.h"

namespace pssp {
namespace {

constexpr const char* program = "simulate_application";

Schedule make_schedule(const ApplicationOptions& options, std::size_t hosts) {
  if (options.goal.empty()) {
    const auto ranks = options.ranks != 0 ? options.ranks : static_cast<unsigned>(hosts);
    constexpr unsigned least = 2;
    if (ranks < least) {
      throw Error(ErrorKind::usage, "an application needs at least two ranks: --ranks N");
    }
    return Schedule(make_application(options.application, ranks));
  }
  if (options.ranks != 0) {
    throw Error(ErrorKind::usage, "--ranks is for --application; a GOAL file says how many it has");
  }
  GoalText goal = read_goal_file(options.goal);
  Report(program).warn(goal.warnings);
  return Schedule(std::move(goal.ranks));
}

std::vector<FabricInput> read_inputs(const ApplicationOptions& options) {
  if (options.files.empty()) {
    throw Error(ErrorKind::usage, "forwarding tables and topology are required; see --help");
  }
  std::vector<FabricInput> inputs;
  inputs.push_back(read_fabric_input(
      std::vector<std::filesystem::path>(options.files.begin(), options.files.end())));
  Report(program).warn(inputs.back().warnings);
  if (options.network == "flows" || options.network == "packets") {
    require_tables(inputs.back().tables.has_value(), options.files.front());
  }
  for (const std::string& other : options.compare) {
    const std::vector<std::filesystem::path> paths{other, options.files.back()};
    inputs.push_back(read_fabric_input(paths));
    require_tables(inputs.back().tables.has_value(), other);
    require_same_hosts(options.files.front(), inputs.front().fabric, other, inputs.back().fabric);
  }
  return inputs;
}

void require_end(const PlayResult& result, const std::string& tables) {
  if (result.standing_still.empty()) return;
  std::string text = fmt::format(
      "{}the application stands still after {} operations: messages that are never received, or "
      "receives that nobody sends to; these wait:",
      tables.empty() ? "" : tables + ": ", result.operations);
  for (const std::string& operation : result.standing_still) text += "\n  " + operation;
  throw Error(ErrorKind::verification_failed, text);
}

/// Flows that share by 1/n are up to a quarter slower than packets where ranks run ahead.
void warn_of_sharing(const ApplicationOptions& options, const Schedule& schedule,
                     const TablesTime& run) {
  constexpr double most = 0.1;
  const double share = static_cast<double>(run.result.eager_together) /
                       static_cast<double>(std::max<std::uint64_t>(schedule.message_count(), 1));
  if (options.sharing != LinkSharing::equal || share <= most) return;
  constexpr double percent = 100;
  Report(program).warn(fmt::format(
      "{}: {:.0f} % of the messages were eager and in the network together with another of their "
      "sender; sharing by capacity / messages is too slow for these: --sharing max-min",
      run.tables, share * percent));
}

/// What is played on which hosts.
struct Play {
  Schedule schedule;
  RankPlaces places;
  std::vector<JobOnHosts> jobs;                 ///< none: a single application
  std::vector<PlayTime> starts;                 ///< of jobs, for each rank
  std::vector<std::uint32_t> job_of_operation;  ///< likewise
  std::vector<std::uint32_t> first_rank;        ///< likewise
};

Play make_play(const ApplicationOptions& options, const Fabric* fabric) {
  std::vector<std::string> warnings;
  if (fabric == nullptr) return {make_schedule(options, 0), {}, {}, {}, {}, {}};
  if (!options.jobs.empty()) {
    std::vector<JobOnHosts> jobs = read_jobs(options.jobs, *fabric, options.seed, warnings);
    Report(program).warn(warnings);
    JointJobs joint = join(jobs);
    RankPlaces places = with_adapters(*fabric, std::move(joint.places.hosts), joint.schedule);
    return {std::move(joint.schedule),
            std::move(places),
            std::move(jobs),
            std::move(joint.starts),
            std::move(joint.job_of_operation),
            std::move(joint.first_rank)};
  }
  std::vector<EndPortId> hosts = choose_hosts(*fabric, options, warnings);
  Report(program).warn(warnings);
  Schedule schedule = make_schedule(options, hosts.size() * options.ranks_per_host);
  hosts = place_on_hosts(hosts, schedule.rank_count(), options.ranks_per_host, options.cyclic);
  RankPlaces places = with_adapters(*fabric, std::move(hosts), schedule);
  return {std::move(schedule), std::move(places), {}, {}, {}, {}};
}

/// One of both is there.
struct NetworkOfTables {
  std::unique_ptr<FlowNetwork> flows;
  std::unique_ptr<PacketNetwork> packets;

  MessageNetwork& any() { return flows ? static_cast<MessageNetwork&>(*flows) : *packets; }
};
NetworkOfTables network_of(const ApplicationOptions& options, const FabricInput& input,
                           const Model& model, const RankPlaces& places) {
  if (options.network != "packets") {
    return {
        std::make_unique<FlowNetwork>(input.fabric, &*input.tables, WayDelays{}, options.sharing),
        nullptr};
  }
  std::vector<EndPortId> hosts = places.hosts;
  for (const std::vector<EndPortId>& node : places.adapters) {
    hosts.insert(hosts.end(), node.begin(), node.end());
  }
  return {nullptr, std::make_unique<PacketNetwork>(input.fabric, *input.tables, model, hosts)};
}

/// Of all jobs together, and of each alone.
std::vector<JobTime> job_times(const ApplicationOptions& options, const Play& play,
                               const FabricInput& input, const PlayResult& together,
                               const FlowNetwork* flows) {
  const Model model;
  std::vector<JobTime> times;
  for (std::uint32_t j = 0; j < play.jobs.size(); ++j) {
    const JobOnHosts& job = play.jobs[j];
    JobTime& time = times.emplace_back();
    for (std::uint32_t r = play.first_rank[j]; r < play.first_rank[j + 1]; ++r) {
      time.together = std::max(time.together, together.rank_ends[r] - job.start);
    }
    NetworkPlayOptions alone;
    alone.compute_scale = options.compute_scale;
    const RankPlaces places = with_adapters(input.fabric, job.hosts, job.schedule);
    NetworkOfTables network = network_of(options, input, model, places);
    time.alone = play_on_network(job.schedule, options.costs, network.any(), places, alone).time;
    if (flows == nullptr) continue;
    double all = 0;
    for (std::uint32_t by = 0; by < play.jobs.size(); ++by) all += flows->held_up(j, by);
    for (std::uint32_t by = 0; by < play.jobs.size(); ++by) {
      time.held_up_by.push_back(all > 0 ? flows->held_up(j, by) / all : 0);
    }
  }
  return times;
}

NetworkPlayOptions play_options(const ApplicationOptions& options, const Play& play) {
  NetworkPlayOptions result;
  result.compute_scale = options.compute_scale;
  result.starts = play.starts;
  return result;
}

/// What the report calls what is played.
std::string application_name(const ApplicationOptions& options) {
  if (!options.goal.empty()) return options.goal;
  if (!options.application.empty()) return options.application;
  return fmt::format("{} jobs", options.jobs.size());
}

/// What each link carried, of what it could have carried until the end.
std::string drawn_loads(const std::string& file, const FabricInput& input, const std::string& name,
                        const FlowNetwork& network, PlayTime time) {
  FabricPicture map;
  map.title = name;
  map.load_name = "% of what the link carries in that time";
  map.palette = Palette::share;
  const std::vector<double> capacities = MessageWays(input.fabric, &*input.tables, {}).capacities();
  constexpr double percent = 100;
  for (std::size_t channel = 0; channel < input.fabric.channel_count(); ++channel) {
    const double most = capacities[channel] * static_cast<double>(std::max<PlayTime>(time, 1));
    map.loads.push_back(percent * network.link_bytes()[channel] / most);
  }
  return drawn_map(input.fabric, map, file);
}

/// Pictures are of the first tables.
struct Pictures {
  std::string timeline, map;
};

TablesTime play_tables(const ApplicationOptions& options, const Play& play,
                       const FabricInput& input, const std::string& name, Pictures* pictures) {
  const Model model;
  NetworkOfTables network = network_of(options, input, model, play.places);
  if (!play.jobs.empty() && network.flows) {
    network.flows->watch_groups(play.job_of_operation,
                                static_cast<std::uint32_t>(play.jobs.size()));
  }
  NetworkPlayOptions told = play_options(options, play);
  PlayRecord record;
  const bool draws_time = pictures != nullptr && !options.timeline.empty();
  if (options.critical_path || draws_time) told.record = &record;
  TablesTime run{name,
                 play_on_network(play.schedule, options.costs, network.any(), play.places, told)};
  require_end(run.result, name);
  if (network.packets) {
    network.packets->check_conservation();
    run.events = network.packets->events();
  }
  if (network.flows) warn_of_sharing(options, play.schedule, run);
  run.jobs = job_times(options, play, input, run.result, network.flows.get());
  if (told.record != nullptr) {
    const CriticalPath path = critical_path(play.schedule, record);
    if (options.critical_path) run.path = path_report(play.schedule, record, path);
    if (draws_time) {
      pictures->timeline =
          run_program({"gnuplot"},
                      timeline_script(play.schedule, record, path,
                                      fmt::format("{}, {}", application_name(options), name),
                                      picture_format(options.timeline)),
                      "gnuplot-nox");
    }
  }
  if (pictures != nullptr && !options.map.empty()) {
    pictures->map =
        drawn_loads(options.map, input, fmt::format("{}, {}", application_name(options), name),
                    *network.flows, run.result.time);
  }
  return run;
}

void play_with_tables(const ApplicationOptions& options, const Play& play,
                      const std::vector<FabricInput>& inputs, ApplicationReport& report,
                      Pictures& pictures) {
  const Fabric& fabric = inputs.front().fabric;
  const PlayResult bound = play_on_links(play.schedule, options.costs, fabric, nullptr, play.places,
                                         options.sharing, {}, play_options(options, play));
  require_end(bound, "");
  report.crossbar = bound.time;
  if (options.network == "crossbar") {
    report.runs.push_back({"", bound});
    return;
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string& name = i == 0 ? options.files.front() : options.compare[i - 1];
    report.runs.push_back(
        play_tables(options, play, inputs[i], name, i == 0 ? &pictures : nullptr));
  }
  if (!options.spread) return;
  FlowNetwork spread(fabric, nullptr, {}, LinkSharing::equal, true);
  report.spread = play_on_network(play.schedule, options.costs, spread, play.places,
                                  play_options(options, play))
                      .time;
}

std::string order_name(const ApplicationOptions& options) {
  if (options.network == "loggp" || !options.jobs.empty()) return {};
  return options.ranks_on.empty() ? options.order : options.ranks_on;
}

}  // namespace

int simulate_application(const ApplicationOptions& options) {
  const bool has_links = options.network != "loggp";
  const std::vector<FabricInput> inputs =
      has_links ? read_inputs(options) : std::vector<FabricInput>{};
  const Play play = make_play(options, has_links ? &inputs.front().fabric : nullptr);
  const Schedule& schedule = play.schedule;
  ApplicationReport report{.application = application_name(options),
                           .network = options.network,
                           .order = order_name(options),
                           .seed = options.seed,
                           .ranks = schedule.rank_count(),
                           .messages = schedule.message_count(),
                           .bytes = schedule.byte_count(),
                           .costs = options.costs,
                           .sharing = options.sharing};
  for (const JobOnHosts& job : play.jobs) report.jobs.push_back(job.text);
  Pictures pictures;
  if (has_links) {
    play_with_tables(options, play, inputs, report, pictures);
  } else {
    report.runs.push_back({"", play_loggp(schedule, options.costs)});
    require_end(report.runs.back().result, "");
  }
  if (!options.write_goal.empty()) {
    write_file(options.write_goal,
               [&](const ContentSink& sink) { write_goal_text(schedule, sink); });
  }
  if (!options.timeline.empty()) write_file(options.timeline, pictures.timeline);
  if (!options.map.empty()) write_file(options.map, pictures.map);
  if (!options.per_rank.empty()) write_file(options.per_rank, per_rank_csv(report));
  write_file(options.output, options.json ? to_json(report) : to_text(report));
  return 0;
}

}  // namespace pssp
