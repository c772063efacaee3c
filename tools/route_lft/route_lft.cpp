// route_lft: computes forwarding tables offline, with the engines that the OpenSM plugin has. See
// docs/reference/route.md.
//
// Runs route_lft: reads a fabric and routes it with an engine, or from previous tables; verifies
// the tables, assigns lanes on request, and writes the results.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "base/json_text.h"
#include "base/stop_signal.h"
#include "base/version.h"
#include "base/workers.h"
#include "fabric/formats/capacity_file.h"
#include "fabric/formats/lft_writer.h"
#include "fabric/formats/net_file_writer.h"
#include "fabric/formats/node_types_file.h"
#include "fabric/formats/service_level_file.h"
#include "fabric/input/fabric_input.h"
#include "fabric/tables/channel_loads.h"
#include "fabric/tables/service_levels.h"
#include "routing/engines/engine.h"
#include "routing/verify/lanes.h"
#include "tools/kit/program_name.h"
#include "tools/kit/progress_line.h"
#include "tools/kit/report.h"
#include "tools/kit/timings.h"
#include "tools/kit/tool.h"
#include "tools/route_lft/check_options.h"
#include "tools/route_lft/first_start.h"
#include "tools/route_lft/notes.h"
#include "tools/route_lft/options.h"

namespace pssp {
namespace {

constexpr Report report(route_lft_name);

struct Outcome {
  Routing routing;
  VerifyReport verify;
  double index = 0;
  Timings engine_time, verify_time;
  std::optional<LaneOutcome> lanes;
  std::optional<EntryChanges> changes;  // relative to previous tables
  std::optional<FirstStart> first;      // without its tables
};

/// A topology of any kind; routes of a graph are ignored.
TopologyFile read_any_topology(const std::string& file) {
  const std::filesystem::path path(file);
  FabricSources sources = read_fabric_sources({&path, 1});
  if (sources.topology) return *std::move(sources.topology);
  throw Error(ErrorKind::unreadable_input,
              fmt::format("{}: these are forwarding tables; expected a topology", file));
}

Fabric read_fabric(const RouteLftOptions& options) {
  TopologyFile topology = read_any_topology(options.topology);
  report.warn(topology.warnings);
  if (!topology.builder.has_lids()) {
    if (options.stable.wanted()) {
      report.warn(fmt::format(
          "{} has no LIDs; using those of an empty subnet, which match the LIDs of {} only if "
          "no node was added or removed",
          options.topology, options.stable.file));
    }
    topology.builder.assign_lids(options.lmc.value_or(0));
  } else if (options.lmc) {
    throw Error(ErrorKind::usage,
                fmt::format("--lmc: {} already has LIDs; omit --lmc", options.topology));
  }
  if (!options.capacity.empty()) {
    report.print_line(to_string(
        apply_capacities(read_capacities(options.capacity), AtZero::left_out, topology.builder)));
  }
  if (!options.node_types.empty()) {
    report.print_line(to_string(apply_node_types(read_node_types(options.node_types),
                                                 UnknownHosts::refused, topology.builder)));
  }
  Fabric fabric = std::move(topology.builder).build(options.builder);
  if (fabric.switch_count() == 0) {
    throw Error(ErrorKind::unsuitable_topology,
                fmt::format("{}: {} adapters and no switch: there is nothing to route",
                            options.topology, fabric.host_count()));
  }
  return fabric;
}

/// Never stops; shows the progress of the work.
StopSignal displayed_on(StageLine& line) {
  return StopSignal().reporting_to(
      [&line](std::string_view work, std::optional<double> part) { line.update(work, part); });
}

/// Computes as often as specified; `route` returns a Routing.
template <class Route>
Outcome compute(const Route& route, const Fabric& fabric, const RouteLftOptions& options,
                StageLine& line) {
  Outcome outcome;
  for (unsigned i = 0; i < options.repeat; ++i) {
    line.update("routing");
    outcome.routing = outcome.engine_time.measure(route);
    line.update("verification");
    outcome.verify = outcome.verify_time.measure(
        [&] { return verify(fabric, outcome.routing.tables, options.verify); });
  }
  outcome.index = edge_forwarding_index(fabric, channel_loads(fabric, outcome.routing.tables));
  return outcome;
}

/// Whether the permitted lanes suffice for tables. All arguments must outlive it.
std::function<bool(const ForwardingTables&)> accept_lanes(const Fabric& fabric,
                                                          const RouteLftOptions& options,
                                                          const StopSignal& stop) {
  return [&](const ForwardingTables& tables) {
    LaneOptions lanes = options.lanes.options;
    lanes.stop = stop;
    return needs_no_more_lanes(fabric, tables, lanes);
  };
}

/// As opensm at a first start: without --lanes it has one lane, as without QoS.
Outcome route_first(const RoutingEngine& engine, const Fabric& fabric, const RouteRequest& request,
                    const RouteLftOptions& options, StageLine& line) {
  FirstStartSteps steps;
  steps.route = [&](const Fabric& each) {
    RouteRequest of_each = request;
    if (options.lanes.wanted) of_each.accept = accept_lanes(each, options, request.stop);
    return engine.route(each, of_each);
  };
  steps.falls_short = [&](const Fabric& each, const ForwardingTables& tables) {
    if (options.lanes.wanted) return !accept_lanes(each, options, request.stop)(tables);
    return !verify_one_lane(each, tables).is_deadlock_free();
  };
  FirstStart first;
  const auto route = [&] {
    first = start_first(fabric, steps, options.stable.options, request.stop);
    return std::exchange(first.routing, {});
  };
  Outcome outcome = compute(route, fabric, options, line);
  outcome.first = std::move(first);
  return outcome;
}

Outcome route_from_scratch(const RoutingEngine& engine, const Fabric& fabric,
                           const RouteLftOptions& options, StageLine& line) {
  // A tool may use the whole machine.
  RouteRequest request{.workers = workers_or_all(0), .stop = displayed_on(line)};
  if (options.lanes.wanted) request.accept = accept_lanes(fabric, options, request.stop);
  if (!options.stable.first_start) {
    return compute([&] { return engine.route(fabric, request); }, fabric, options, line);
  }
  return route_first(engine, fabric, request, options, line);
}

Outcome reroute(const Fabric& fabric, const RouteLftOptions& options, StageLine& line) {
  std::vector<std::string> warnings;
  const StableRequest& request = options.stable;
  const ForwardingTables previous = read_previous_tables(request.file, fabric, warnings);
  std::optional<ForwardingTables> in_force;
  if (!request.in_force.empty()) {
    in_force = read_previous_tables(request.in_force, fabric, warnings);
  }
  report.warn(warnings);
  EntryChanges changes;
  const auto route = [&] {
    StableRouting made = bring_up_to_date(fabric, request, previous, in_force, displayed_on(line));
    changes = made.changes;
    return Routing{std::move(made.tables)};
  };
  Outcome outcome = compute(route, fabric, options, line);
  outcome.changes = changes;
  return outcome;
}

std::string describe(const Timings& timings, unsigned repeat) {
  return repeat == 1 ? fmt::format("{:.1f} ms", timings.best())
                     : fmt::format("{:.1f} ms (median {:.1f})", timings.best(), timings.median());
}

void print_summary(const Fabric& fabric, const Outcome& outcome, const RouteLftOptions& options) {
  report.print_line(
      fmt::format("{}: {} switches, {} LIDs, edge forwarding index {:g}, {}, engine {}, verify {}",
                  options.engine_name(), fabric.switch_count(), fabric.lids().size(), outcome.index,
                  !options.verify.credit_loops       ? "credit loops not searched for"
                  : outcome.verify.has_credit_loop() ? "credit loop"
                                                     : "no credit loop",
                  describe(outcome.engine_time, options.repeat),
                  describe(outcome.verify_time, options.repeat)));
  if (outcome.changes) report.print_line(describe(*outcome.changes));
  if (outcome.first) report.print_line(describe(*outcome.first));
  if (!outcome.lanes) return;
  const LaneAssignment& lanes = outcome.lanes->assignment;
  report.print_line(
      fmt::format("{} of {} virtual lanes ({} needed), no credit loop on any; pairs by lane "
                  "{}; assignment {}, proof {}",
                  lanes.lanes, options.lanes.options.max_lanes, lanes.needed,
                  fmt::join(lanes.pairs, " "), describe(outcome.lanes->assign_time, options.repeat),
                  describe(outcome.lanes->prove_time, options.repeat)));
}

std::string to_json(const Fabric& fabric, const Outcome& outcome, const RouteLftOptions& options) {
  const auto times = [](const Timings& timings) {
    return nlohmann::ordered_json{{"best", timings.best()}, {"median", timings.median()}};
  };
  nlohmann::ordered_json json;
  json["engine"] = options.engine_name();
  json["hosts"] = fabric.endpoints().size();
  json["switches"] = fabric.switch_count();
  json["channels"] = fabric.channel_count();
  json["lids"] = fabric.lids().size();
  json["edge_forwarding_index"] = outcome.index;
  json["separated_pairs"] = outcome.verify.separated_pairs;
  if (options.verify.credit_loops) json["credit_loop"] = outcome.verify.has_credit_loop();
  json["repeat"] = options.repeat;
  json["engine_ms"] = times(outcome.engine_time);
  json["verify_ms"] = times(outcome.verify_time);
  if (outcome.changes) {
    json["previous"] = options.stable.file;
    json["entries"] = to_json(*outcome.changes);
  }
  if (outcome.first) json["first_start"] = to_json(*outcome.first);
  add_notes(json, fabric, outcome.routing.notes);
  if (outcome.lanes) {
    json["lanes"] = outcome.lanes->assignment.needed;
    json["lanes_used"] = outcome.lanes->assignment.lanes;
    json["pairs_by_lane"] = outcome.lanes->assignment.pairs;
    json["dependencies_by_lane"] = outcome.lanes->proof.dependencies;
    json["service_levels"] = options.lanes.file;
    json["lanes_ms"] = times(outcome.lanes->assign_time);
    json["proof_ms"] = times(outcome.lanes->prove_time);
  }
  json["version"] = version();
  return dump_json(json);
}

void write_results(const Fabric& fabric, const Outcome& outcome, const RouteLftOptions& options) {
  std::vector<OutputFile> files;
  if (!options.topology_output.empty()) {
    files.push_back(
        {options.topology_output, [&](const ContentSink& sink) { sink(to_net_file(fabric)); }});
  }
  files.push_back({options.output, [&](const ContentSink& sink) {
                     write_lft_dump(fabric, outcome.routing.tables, sink);
                   }});
  if (outcome.lanes) {
    files.push_back({options.lanes.file, [&](const ContentSink& sink) {
                       write_service_levels(fabric, outcome.lanes->assignment.service_levels, sink);
                     }});
  }
  write_files(files);
}

Outcome route(const RoutingEngine* engine, const Fabric& fabric, const RouteLftOptions& options) {
  StageLine line(name_as_called(route_lft_name));
  return engine == nullptr ? reroute(fabric, options, line)
                           : route_from_scratch(*engine, fabric, options, line);
}

/// Assigns lanes if requested, and writes the files.
void finish(const Fabric& fabric, Outcome& outcome, const RouteLftOptions& options) {
  StageLine line(name_as_called(route_lft_name));
  if (options.lanes.wanted) {
    LaneOptions lanes = options.lanes.options;
    lanes.stop = displayed_on(line);
    line.update("virtual lanes");
    outcome.lanes = assign_and_prove(fabric, outcome.routing.tables, lanes, options.repeat);
  }
  line.update("writing");
  write_results(fabric, outcome, options);
}

/// Reads, routes, verifies, writes, and reports; returns the exit code. Throws Error.
int run(const RouteLftOptions& options) {
  // Wrong options are reported before a large file is read.
  const auto engine =
      options.stable.wanted() ? nullptr : make_engine(options.engine, options.settings.engines);
  const Fabric fabric = read_fabric(options);
  Outcome outcome = route(engine.get(), fabric, options);
  require_writable(outcome.verify);
  if (outcome.verify.separated_pairs != 0) {
    report.warn(fmt::format("the fabric is divided: {} pairs of end ports are on different islands",
                            outcome.verify.separated_pairs));
  }
  finish(fabric, outcome, options);
  report.warn(outcome.routing.notes.warnings);
  print_summary(fabric, outcome, options);
  if (options.json) write_file("-", to_json(fabric, outcome, options));
  return 0;
}

}  // namespace
}  // namespace pssp

int main(int argc, char** argv) {
  using namespace pssp;
  return run_tool(
      route_lft_name, argc, argv, parse_route_lft_options, [](const RouteLftOptions& options) {
        return options.text_to_check ? check_options(*options.text_to_check) : run(options);
      });
}
