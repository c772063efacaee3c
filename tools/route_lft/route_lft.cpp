// route_lft: computes forwarding tables offline, with the engines that the OpenSM plugin has. See
// docs/route_lft.md.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "base/json_text.h"
#include "fabric/formats/lft_writer.h"
#include "fabric/formats/net_file_writer.h"
#include "fabric/formats/service_level_file.h"
#include "fabric/input/fabric_input.h"
#include "fabric/tables/channel_loads.h"
#include "routing/engines/engine.h"
#include "routing/verify/verify.h"
#include "tools/kit/timings.h"
#include "tools/kit/tool_main.h"
#include "tools/route_lft/route_lft_lanes.h"
#include "tools/route_lft/route_lft_stable.h"

namespace {

using namespace pssp;

struct Arguments {
  std::string engine, topology;
  std::string output = "-";
  std::string topology_output;
  std::vector<std::string> settings;
  std::optional<unsigned> lmc;
  unsigned repeat = 1;
  BuilderOptions builder;
  VerifyOptions verify;
  LaneRequest lanes;
  StableRequest stable;
  bool skip_credit_loops = false;
  bool json = false;
  bool list = false;

  const char* engine_name() const { return stable.wanted() ? "stable" : engine.c_str(); }
};

struct Outcome {
  Routing routing;
  VerifyReport verify;
  double index = 0;
  Timings engine_time, verify_time;
  std::optional<LaneOutcome> lanes;
  std::optional<EntryChanges> changes;  // of previous tables
};

/// Nothing when --help or --version was answered.
std::optional<Arguments> parse_arguments(int argc, char** argv) {
  Arguments arguments;
  CLI::App app(
      "Computes the forwarding tables of an InfiniBand fabric offline, with the engines that the "
      "OpenSM plugin has.");
  app.set_version_flag("--version", "route_lft " PSSP_VERSION);
  app.add_option("topo.osm", arguments.topology,
                 "Topology: output of ibnetdiscover or ibsim net file; - is standard input");
  app.add_option("-e,--engine", arguments.engine, "Routing engine; --list shows all");
  app.add_option("-s,--set", arguments.settings, "Engine option NAME=VALUE, as often as needed")
      ->allow_extra_args(false);
  app.add_flag("--list", arguments.list, "List the engines with their options");
  app.add_option("-o,--output", arguments.output,
                 "File for the tables, in the notation of opensm-lfts.dump; - is standard output")
      ->capture_default_str();
  app.add_option("--write-topology", arguments.topology_output,
                 "File for the topology with its LIDs, as ibsim net file");
  app.add_option("--lmc", arguments.lmc, "2^N LIDs for each end port of a topology without LIDs")
      ->check(CLI::Range(0U, max_lmc));
  app.add_flag("--aggregation-nodes", arguments.builder.aggregation_nodes_are_endpoints,
               "Count aggregation nodes (SHARP) among the hosts");
  app.add_flag("--no-credit-loops", arguments.skip_credit_loops,
               "Do not search for credit loops (saves time)");
  app.add_option("--repeat", arguments.repeat, "Compute N times, to measure the time")
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
  app.add_flag("--json", arguments.json, "Statistics as JSON on standard output; needs -o FILE");
  arguments.lanes.add_options(app);
  arguments.stable.add_options(app);
  if (!parse_command_line(app, argc, argv)) return std::nullopt;
  arguments.lanes.complete(app, arguments.output);
  arguments.stable.complete(app, arguments.topology);
  arguments.verify.credit_loops = !arguments.skip_credit_loops;
  return arguments;
}

/// Where a file will be, "-" for standard output.
std::string place_of(const std::string& file) {
  if (file == "-") return file;
  return std::filesystem::weakly_canonical(std::filesystem::absolute(file)).string();
}

/// Each of the outputs needs a place of its own.
void require_places(const Arguments& arguments) {
  if (arguments.json && arguments.output == "-") {
    throw Error(ErrorKind::usage,
                "--json and the tables cannot both go to standard output; add -o FILE");
  }
  std::set<std::string> places{place_of(arguments.output)};
  if (arguments.json) places.insert("-");
  for (const std::string& file : {arguments.lanes.file, arguments.topology_output}) {
    if (file.empty() || places.insert(place_of(file)).second) continue;
    throw Error(ErrorKind::usage, fmt::format("{} would be written twice; name another file",
                                              file == "-" ? "standard output" : file));
  }
}

void require_complete(const Arguments& arguments) {
  if (arguments.engine.empty() && !arguments.stable.wanted()) {
    throw Error(ErrorKind::usage,
                "--engine is missing; --list shows the engines, and --stable needs none");
  }
  if (arguments.topology.empty()) {
    throw Error(ErrorKind::usage, "the topology file is missing; - is standard input");
  }
  require_places(arguments);
}

void list_engines() {
  for (const EngineDescription& engine : engine_registry()) {
    fmt::print("{}: {}\n", engine.name, engine.summary);
    for (const OptionDescription& option : engine.options()) {
      fmt::print("    {}={} (default {}): {}\n", option.name, option.values, option.fallback,
                 option.meaning);
    }
  }
}

EngineOptions engine_options(const std::vector<std::string>& settings) {
  EngineOptions options;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == setting.size()) {
      throw Error(ErrorKind::usage, fmt::format("--set {}: expected NAME=VALUE", setting));
    }
    options.set(setting.substr(0, equals), setting.substr(equals + 1));
  }
  options.require_known();
  return options;
}

void warn(std::string_view what) { fmt::print(stderr, "route_lft: warning: {}\n", what); }

/// A topology of any kind; routes that a graph may have are passed over.
TopologyFile read_any_topology(const std::string& file) {
  const std::filesystem::path path(file);
  FabricSources sources = read_fabric_sources({&path, 1});
  if (sources.topology) return *std::move(sources.topology);
  throw Error(ErrorKind::unreadable_input,
              fmt::format("{}: these are forwarding tables; a topology is needed", file));
}

Fabric read_fabric(const Arguments& arguments) {
  TopologyFile topology = read_any_topology(arguments.topology);
  for (const std::string& warning : topology.warnings) warn(warning);
  if (!topology.builder.has_lids()) {
    if (arguments.stable.wanted()) {
      warn(
          fmt::format("{} states no LIDs; it gets those of an empty subnet, which are the LIDs of "
                      "{} only if no node has come or gone",
                      arguments.topology, arguments.stable.file));
    }
    topology.builder.assign_lids(arguments.lmc.value_or(0));
  } else if (arguments.lmc) {
    throw Error(ErrorKind::usage,
                fmt::format("--lmc: {} states the LIDs of its nodes already; leave --lmc out",
                            arguments.topology));
  }
  return std::move(topology.builder).build(arguments.builder);
}

/// Computes as often as the arguments say; `route` returns a Routing.
template <class Route>
Outcome compute(const Route& route, const Fabric& fabric, const Arguments& arguments) {
  Outcome outcome;
  for (unsigned i = 0; i < arguments.repeat; ++i) {
    outcome.routing = outcome.engine_time.measure(route);
    outcome.verify = outcome.verify_time.measure(
        [&] { return verify(fabric, outcome.routing.tables, arguments.verify); });
  }
  outcome.index = edge_forwarding_index(fabric, channel_loads(fabric, outcome.routing.tables));
  return outcome;
}

Outcome route_anew(const RoutingEngine& engine, const Fabric& fabric, const Arguments& arguments) {
  // A tool has the machine to itself, as far as the system lets it.
  RouteRequest request{.workers = std::thread::hardware_concurrency()};
  if (arguments.lanes.wanted) {
    request.accept = [&](const ForwardingTables& tables) {
      return needs_no_more_lanes(fabric, tables, arguments.lanes.options);
    };
  }
  return compute([&] { return engine.route(fabric, request); }, fabric, arguments);
}

Outcome reroute(const Fabric& fabric, const Arguments& arguments) {
  std::vector<std::string> warnings;
  const ForwardingTables previous = read_previous_tables(arguments.stable.file, fabric, warnings);
  for (const std::string& warning : warnings) warn(warning);
  EntryChanges changes;
  const auto route = [&] {
    StableRouting made = reroute_stably(fabric, previous, arguments.stable.options);
    changes = made.changes;
    return Routing{std::move(made.tables)};
  };
  Outcome outcome = compute(route, fabric, arguments);
  outcome.changes = changes;
  return outcome;
}

std::string describe(const Timings& timings, unsigned repeat) {
  return repeat == 1 ? fmt::format("{:.1f} ms", timings.best())
                     : fmt::format("{:.1f} ms (median {:.1f})", timings.best(), timings.median());
}

void print_summary(const Fabric& fabric, const Outcome& outcome, const Arguments& arguments) {
  fmt::print(
      stderr,
      "route_lft: {}: {} switches, {} LIDs, edge forwarding index {:g}, {}, engine {}, verify {}\n",
      arguments.engine_name(), fabric.switch_count(), fabric.lids().size(), outcome.index,
      arguments.skip_credit_loops        ? "credit loops not searched for"
      : outcome.verify.has_credit_loop() ? "credit loop"
                                         : "no credit loop",
      describe(outcome.engine_time, arguments.repeat),
      describe(outcome.verify_time, arguments.repeat));
  if (outcome.changes) fmt::print(stderr, "route_lft: {}\n", describe(*outcome.changes));
  if (!outcome.lanes) return;
  const LaneAssignment& lanes = outcome.lanes->assignment;
  fmt::print(stderr,
             "route_lft: {} of {} virtual lanes ({} needed), no credit loop on any; pairs by lane "
             "{}; assignment {}, proof {}\n",
             lanes.lanes, arguments.lanes.options.max_lanes, lanes.needed,
             fmt::join(lanes.pairs, " "), describe(outcome.lanes->assign_time, arguments.repeat),
             describe(outcome.lanes->prove_time, arguments.repeat));
}

std::string to_json(const Fabric& fabric, const Outcome& outcome, const Arguments& arguments) {
  const auto times = [](const Timings& timings) {
    return nlohmann::ordered_json{{"best", timings.best()}, {"median", timings.median()}};
  };
  nlohmann::ordered_json json;
  json["engine"] = arguments.engine_name();
  json["hosts"] = fabric.endpoints().size();
  json["switches"] = fabric.switch_count();
  json["channels"] = fabric.channel_count();
  json["lids"] = fabric.lids().size();
  json["edge_forwarding_index"] = outcome.index;
  json["separated_pairs"] = outcome.verify.separated_pairs;
  if (!arguments.skip_credit_loops) json["credit_loop"] = outcome.verify.has_credit_loop();
  json["repeat"] = arguments.repeat;
  json["engine_ms"] = times(outcome.engine_time);
  json["verify_ms"] = times(outcome.verify_time);
  if (outcome.changes) {
    json["previous"] = arguments.stable.file;
    json["entries"] = to_json(*outcome.changes);
  }
  if (outcome.lanes) {
    json["lanes"] = outcome.lanes->assignment.needed;
    json["lanes_used"] = outcome.lanes->assignment.lanes;
    json["pairs_by_lane"] = outcome.lanes->assignment.pairs;
    json["dependencies_by_lane"] = outcome.lanes->proof.dependencies;
    json["service_levels"] = arguments.lanes.file;
    json["lanes_ms"] = times(outcome.lanes->assign_time);
    json["proof_ms"] = times(outcome.lanes->prove_time);
  }
  json["version"] = PSSP_VERSION;
  return dump_json(json);
}

void require_usable(const VerifyReport& report) {
  if (report.usable()) return;
  throw Error(ErrorKind::verification_failed,
              fmt::format("the tables were not written: {} unreachable pairs ({} of them between "
                          "islands), {} unreachable pairs of end port and switch, {} forwarding "
                          "loops, {} entries to dead ports\n  {}",
                          report.unreachable_pairs, report.separated_pairs,
                          report.unreachable_switch_pairs, report.forwarding_loops,
                          report.dead_port_entries, fmt::join(report.examples, "\n  ")));
}

void write_results(const Fabric& fabric, const Outcome& outcome, const Arguments& arguments) {
  std::vector<OutputFile> files;
  if (!arguments.topology_output.empty()) {
    files.push_back(
        {arguments.topology_output, [&](const ContentSink& sink) { sink(to_net_file(fabric)); }});
  }
  files.push_back({arguments.output, [&](const ContentSink& sink) {
                     write_lft_dump(fabric, outcome.routing.tables, sink);
                   }});
  if (outcome.lanes) {
    files.push_back({arguments.lanes.file, [&](const ContentSink& sink) {
                       write_service_levels(fabric, outcome.lanes->assignment.service_levels, sink);
                     }});
  }
  write_files(files);
}

int run(const Arguments& arguments) {
  if (arguments.list) {
    list_engines();
    return 0;
  }
  require_complete(arguments);
  // A wrong option must not wait until a large file is read.
  const auto engine = arguments.stable.wanted()
                          ? nullptr
                          : make_engine(arguments.engine, engine_options(arguments.settings));
  const Fabric fabric = read_fabric(arguments);
  Outcome outcome = engine ? route_anew(*engine, fabric, arguments) : reroute(fabric, arguments);
  require_usable(outcome.verify);
  if (outcome.verify.separated_pairs != 0) {
    warn(fmt::format("the fabric is divided: {} pairs of end ports are on different islands",
                     outcome.verify.separated_pairs));
  }
  if (arguments.lanes.wanted) {
    outcome.lanes =
        assign_and_prove(fabric, outcome.routing.tables, arguments.lanes.options, arguments.repeat);
  }
  write_results(fabric, outcome, arguments);
  print_summary(fabric, outcome, arguments);
  if (arguments.json) write_file("-", to_json(fabric, outcome, arguments));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return run_tool("route_lft", [&] {
    const std::optional<Arguments> arguments = parse_arguments(argc, argv);
    return arguments ? run(*arguments) : 0;
  });
}
