// The two states have a fabric each, since LIDs of a topology that states none come from the
// tables, and since the change may have taken something away.

#include "tools/reroute_impact/run.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/file_io.h"
#include "fabric/formats/service_level_file.h"
#include "fabric/input/fabric_input.h"
#include "tools/kit/report.h"
#include "tools/reroute_impact/report.h"

namespace pssp {
namespace {

constexpr std::size_t largest_traffic = std::size_t{1} << 30;

TopologyFile read_topology_of(const std::string& name) {
  const std::filesystem::path path(name);
  FabricSources sources = read_fabric_sources({&path, 1});
  if (sources.topology) return *std::move(sources.topology);
  throw Error(ErrorKind::usage, fmt::format("{}: these are forwarding tables; expected the fabric "
                                            "that they belong to, after both tables",
                                            name));
}

FabricInput read_state(const std::string& name, TopologyFile topology, bool aggregation_nodes) {
  const std::filesystem::path path(name);
  FabricSources sources = read_fabric_sources({&path, 1});
  if (!sources.tables) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: this is a topology without forwarding tables; expected the tables "
                            "before and after the change, then the topology",
                            name));
  }
  sources.topology = std::move(topology);
  FabricInput input =
      to_fabric_input(std::move(sources), {.aggregation_nodes_are_endpoints = aggregation_nodes});
  Report("reroute_impact").warn(input.warnings);
  return input;
}

ServiceLevels read_levels(const std::string& name, const Fabric& fabric) {
  return match_service_levels(read_service_levels(name), fabric);
}

}  // namespace

int reroute_impact(const RerouteOptions& options) {
  const TopologyFile topology = read_topology_of(options.topology);
  const FabricInput before = read_state(options.before, topology, options.aggregation_nodes);
  const FabricInput after = read_state(
      options.after,
      options.after_topology.empty() ? topology : read_topology_of(options.after_topology),
      options.aggregation_nodes);

  std::optional<ServiceLevels> levels_before, levels_after;
  if (!options.levels.empty()) {
    levels_before = read_levels(options.levels[0], before.fabric);
    levels_after = read_levels(options.levels[1], after.fabric);
  }
  const RoutedState old_state{before.fabric, *before.tables,
                              levels_before ? &*levels_before : nullptr};
  const RoutedState new_state{after.fabric, *after.tables, levels_after ? &*levels_after : nullptr};

  std::optional<PatternLevels> traffic;
  if (!options.traffic.empty()) {
    traffic = parse_pattern_levels(read_file(options.traffic, largest_traffic), options.traffic,
                                   static_cast<std::uint32_t>(before.fabric.endpoints().size()));
  }
  const FabricChange change(before.fabric, after.fabric);
  RerouteReport report{.before = options.before,
                       .after = options.after,
                       .fabric_before = before.fabric,
                       .fabric_after = after.fabric,
                       .has_bytes = traffic.has_value()};
  report.routes = route_changes(change, old_state, new_state, traffic ? &*traffic : nullptr);
  report.tables = table_changes(tables_before_writing(change, old_state, new_state), new_state);
  write_answer(
      options.output, options.json, [&] { return to_text(report); },
      [&] { return to_json(report); });
  return 0;
}

}  // namespace pssp
