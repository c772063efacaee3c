#include "tools/route_lft/options.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/error.h"
#include "base/output_targets.h"
#include "base/printable.h"
#include "tools/kit/command_line.h"
#include "tools/kit/fabric_options.h"
#include "tools/route_lft/check_options.h"

namespace pssp {
namespace {

/// Options that only affect opensm. They are permitted in a file of options.
constexpr std::string_view of_opensm_alone[] = {
    "deadlock.policy",   "deadlock.first_lane", "stable",
    "stable_state",      "background",          "service_level_dump",
    "credit_loop_check", "congestion_control",  "budget.seconds",
    "budget.megabytes",  "capacity_file",       "capacity_max_age",
    "node_types_file"};

PluginOptions read_settings(const std::vector<std::string>& settings) {
  EngineOptions given;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == setting.size()) {
      throw Error(ErrorKind::usage, fmt::format("--set {}: expected NAME=VALUE", excerpt(setting)));
    }
    const std::string name = setting.substr(0, equals);
    for (const std::string_view each : of_opensm_alone) {
      if (full_option_name(name) != each) continue;
      throw Error(
          ErrorKind::usage,
          fmt::format("--set {}: {} concerns only opensm and has no effect here; check it with "
                      "--check-options",
                      excerpt(setting), each));
    }
    given.set(name, setting.substr(equals + 1));
  }
  return plugin_options(std::move(given));
}

/// All outputs must have different paths, including automatically named ones.
void require_placement(const RouteLftOptions& options) {
  if (options.json && options.output == "-") {
    throw Error(ErrorKind::usage,
                "--json and the tables cannot both go to standard output; add -o FILE");
  }
  OutputTargets positions;
  positions.add_input("TOPOLOGY", options.topology);
  if (options.stable.wanted()) positions.add_replaceable_input("--stable", options.stable.file);
  if (!options.stable.in_force.empty()) {
    positions.add_replaceable_input("--in-force", options.stable.in_force);
  }
  if (!options.capacity.empty()) positions.add_input("--capacity", options.capacity);
  if (!options.node_types.empty()) positions.add_input("--node-types", options.node_types);
  positions.add_output("--output", options.output);
  if (options.json) positions.add_output("--json", "-");
  if (!options.lanes.file.empty()) positions.add_output("--service-levels", options.lanes.file);
  if (!options.topology_output.empty()) {
    positions.add_output("--write-topology", options.topology_output);
  }
  positions.require_separate();
}

void require_complete(const RouteLftOptions& options) {
  if (!options.capacity.empty() && !options.topology_output.empty()) {
    throw Error(ErrorKind::usage,
                "--capacity and --write-topology exclude each other: the topology would have rates "
                "that no cable has; write the topology in a separate call");
  }
  if (options.engine.empty() && !options.stable.wanted()) {
    throw Error(ErrorKind::usage,
                "--engine is missing; --list shows all engines; --stable OLD.lft needs none");
  }
  if (options.topology.empty()) {
    throw Error(ErrorKind::usage, "the topology file is missing; - is standard input");
  }
  require_placement(options);
}

}  // namespace

std::optional<RouteLftOptions> parse_route_lft_options(int argc, char** argv) {
  RouteLftOptions options;
  std::vector<std::string> settings;
  std::string text_to_check;
  bool skip_credit_loops = false;
  CommandLine line(
      route_lft_name,
      "Computes the forwarding tables of an InfiniBand fabric offline, with the engines of "
      "the OpenSM plugin.");
  line.option("TOPOLOGY", options.topology,
              "Topology: output of ibnetdiscover or ibsim net file; - is standard input");
  line.option("-e,--engine", options.engine, "Routing engine; --list shows all");
  line.option("-s,--set", settings,
              "Option as in opensm's event_plugin_options, NAME=VALUE; repeatable")
      .one_at_a_time();
  line.answer("--list", "List the engines and all options for --set and event_plugin_options",
              list_of_options);
  line.option("--check-options", text_to_check,
              "Check event_plugin_options TEXT: print the options in force and the errors that "
              "opensm would log")
      .type_name("TEXT");
  line.option("-o,--output", options.output,
              "Write the tables to FILE, in the format of opensm-lfts.dump; - is standard output")
      .show_default();
  line.option("--write-topology", options.topology_output,
              "Write the topology with its LIDs to FILE, as an ibsim net file");
  line.option("--lmc", options.lmc, "Assign 2^N LIDs to each end port of a topology without LIDs")
      .range(0, max_lmc);
  add_endpoint_options(line, options.builder.roles);
  line.option("--capacity", options.capacity,
              "File with the capacities of degraded links; links with capacity 0 are avoided")
      .type_name("FILE");
  line.option("--node-types", options.node_types,
              "Roles of hosts (compute, storage, ...), overriding what their names suggest")
      .type_name("FILE");
  line.flag("--no-credit-loops", skip_credit_loops, "Do not search for credit loops (saves time)");
  line.option("--repeat", options.repeat, "Compute the tables N times to measure the time")
      .range(1, 10'000)
      .show_default();
  line.flag("--json", options.json, "Write statistics as JSON to standard output; needs -o FILE");
  options.lanes.add_options(line);
  options.stable.add_options(line);
  if (!line.parse(argc, argv)) return std::nullopt;
  options.verify.credit_loops = !skip_credit_loops;
  if (line.given("--check-options")) {
    options.text_to_check = text_to_check;
    return options;
  }
  options.settings = read_settings(settings);
  options.lanes.complete(line, options.settings, options.output);
  options.stable.complete(line, options.settings, options.engine, options.topology);
  require_complete(options);
  return options;
}

}  // namespace pssp
