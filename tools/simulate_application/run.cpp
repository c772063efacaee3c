// The same schedule is played with each of the tables, and on a crossbar of the same hosts, which
// is what the tables are measured by. What stands still has no time, so it is an error and no
// answer.

#include "tools/simulate_application/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "applications/formats/goal_file.h"
#include "applications/play/loggp.h"
#include "applications/play/network_play.h"
#include "base/error.h"
#include "base/random.h"
#include "evaluator/hosts/node_ordering_file.h"
#include "fabric/input/fabric_input.h"
#include "tools/kit/report.h"
#include "tools/simulate_application/application_spec.h"
#include "tools/simulate_application/report.h"

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
  if (options.network == "flows") {
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

/// By GUID of their switch, then by its port.
std::vector<EndPortId> hosts_by_switch(const Fabric& fabric) {
  std::vector<EndPortId> hosts;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (const EndPortId port : fabric.end_ports_of(SwitchId(s))) {
      if (fabric.is_endpoint(port)) hosts.push_back(port);
    }
  }
  return hosts;
}

std::vector<EndPortId> choose_hosts(const Fabric& fabric, const ApplicationOptions& options) {
  constexpr std::uint64_t purpose_of_order = 0x6170706C;
  std::vector<EndPortId> hosts;
  if (!options.ranks_on.empty()) {
    const NodeOrdering ordering = read_node_ordering(options.ranks_on, fabric);
    Report(program).warn(ordering.warnings);
    for (const std::uint32_t host : ordering.hosts) hosts.push_back(fabric.endpoints()[host]);
    return hosts;
  }
  hosts = hosts_by_switch(fabric);
  if (options.order == "random") {
    RandomGenerator random = random_stream(options.seed, purpose_of_order, 0);
    shuffle(hosts, random);
  }
  return hosts;
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

void play_with_tables(const ApplicationOptions& options, const Schedule& schedule,
                      const std::vector<FabricInput>& inputs, const RankPlaces& places,
                      ApplicationReport& report) {
  const PlayResult bound = play_on_links(schedule, options.costs, inputs.front().fabric, nullptr,
                                         places, options.sharing);
  require_end(bound, "");
  report.crossbar = bound.time;
  if (options.network == "crossbar") {
    report.runs.push_back({"", bound});
    return;
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string& name = i == 0 ? options.files.front() : options.compare[i - 1];
    report.runs.push_back({name, play_on_links(schedule, options.costs, inputs[i].fabric,
                                               &*inputs[i].tables, places, options.sharing)});
    require_end(report.runs.back().result, name);
    warn_of_sharing(options, schedule, report.runs.back());
  }
}

}  // namespace

int simulate_application(const ApplicationOptions& options) {
  const bool has_links = options.network != "loggp";
  const std::vector<FabricInput> inputs =
      has_links ? read_inputs(options) : std::vector<FabricInput>{};
  const RankPlaces places{has_links ? choose_hosts(inputs.front().fabric, options)
                                    : std::vector<EndPortId>{}};
  const Schedule schedule = make_schedule(options, places.hosts.size());
  ApplicationReport report{
      .application = options.goal.empty() ? options.application : options.goal,
      .network = options.network,
      .order = !has_links ? "" : (options.ranks_on.empty() ? options.order : options.ranks_on),
      .seed = options.seed,
      .ranks = schedule.rank_count(),
      .messages = schedule.message_count(),
      .bytes = schedule.byte_count(),
      .costs = options.costs,
      .sharing = options.sharing};
  if (has_links) {
    play_with_tables(options, schedule, inputs, places, report);
  } else {
    report.runs.push_back({"", play_loggp(schedule, options.costs)});
    require_end(report.runs.back().result, "");
  }
  if (!options.write_goal.empty()) {
    write_file(options.write_goal,
               [&](const ContentSink& sink) { write_goal_text(schedule, sink); });
  }
  write_file(options.output, options.json ? to_json(report) : to_text(report));
  return 0;
}

}  // namespace pssp
