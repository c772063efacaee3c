// reroute_impact: what a change of forwarding tables does to flows
// (docs/reference/reroute-impact.md).
//
// Each state has its own fabric, since a topology without LIDs gets them from the tables, and since
// nodes or cables may have been removed.

#include <fmt/format.h>

#include <filesystem>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "base/workers.h"
#include "evaluator/rerouting/write_order_file.h"
#include "fabric/formats/service_level_file.h"
#include "fabric/input/fabric_input.h"
#include "tools/kit/progress_line.h"
#include "tools/kit/report.h"
#include "tools/kit/tool.h"
#include "tools/reroute_impact/live_run.h"
#include "tools/reroute_impact/options.h"
#include "tools/reroute_impact/report.h"

namespace pssp {
namespace {

constexpr std::size_t largest_order = std::size_t{256} << 20;
constexpr std::size_t largest_traffic = std::size_t{1} << 30;

TopologyFile read_topology_of(const std::string& name) {
  const std::filesystem::path path(name);
  FabricSources sources = read_fabric_sources({&path, 1});
  if (sources.topology) return *std::move(sources.topology);
  throw Error(
      ErrorKind::usage,
      fmt::format(
          "{}: these are forwarding tables; expected the topology of the fabric as the third file",
          name));
}

FabricInput read_state(const std::string& name, TopologyFile topology, EndpointRoles roles) {
  const std::filesystem::path path(name);
  FabricSources sources = read_fabric_sources({&path, 1});
  if (!sources.tables) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: this is a topology without forwarding tables; expected the tables "
                            "before and after the change, then the topology",
                            name));
  }
  sources.topology = std::move(topology);
  FabricInput input = to_fabric_input(std::move(sources), {.roles = roles});
  Report("reroute_impact").warn(input.warnings);
  return input;
}

ServiceLevels read_levels(const std::string& name, const Fabric& fabric) {
  return match_service_levels(read_service_levels(name), fabric);
}

TimedOrder timed_order(const TableMixture& mixture, const WriteOrder& order) {
  const std::vector<SeenStep> steps =
      steps_of_writes(order.writes, order.times_ns, mixture.new_tables);
  return {observed_states(mixture.fabric, mixture.old_tables, 0, steps), order.times_ns.front(),
          order.times_ns.back()};
}

void try_orders(const RerouteOptions& options, const TableMixture& mixture, RerouteReport& report) {
  const std::vector<BlockWrite>& writes = report.tables.writes;
  report.order = options.order.empty() ? "opensm's order" : options.order;
  WriteOrder first{writes, {}};
  if (!options.order.empty()) {
    first = parse_write_order(read_file(options.order, largest_order), options.order,
                              mixture.fabric, writes);
  }
  if (!first.times_ns.empty()) report.timed = timed_order(mixture, first);
  const TransientStates states(mixture);
  report.orders.resize(1 + options.orders);
  ProgressLine progress("orders of writes");
  std::mutex mutex;
  std::uint64_t done = 0;
  const unsigned workers = workers_or_all(options.threads);
  run_tasks(workers, report.orders.size(), [&](std::size_t i) {
    report.orders[i] =
        states.impact_of(i == 0 ? first.writes : random_order(writes, options.seed, i - 1));
    const std::lock_guard lock(mutex);
    progress.update(++done, report.orders.size());
  });
}

/// Reads, compares and writes the report; returns the exit code. Throws Error.
int reroute_impact(const RerouteOptions& options) {
  const TopologyFile topology = read_topology_of(options.topology);
  const FabricInput before = read_state(options.before, topology, options.roles);
  const FabricInput after = read_state(
      options.after,
      options.after_topology.empty() ? topology : read_topology_of(options.after_topology),
      options.roles);

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
  const ForwardingTables old_tables = tables_before_writing(change, old_state, new_state);
  report.tables = table_changes(old_tables, new_state);
  std::optional<ServiceLevels> kept_levels;
  if (levels_before) kept_levels = levels_before_writing(change, old_state, new_state);
  const TableMixture mixture{after.fabric, old_tables, *after.tables,
                             kept_levels ? &*kept_levels : nullptr};
  try_orders(options, mixture, report);
  write_answer(
      options.output, options.json, [&] { return to_text(report); },
      [&] { return to_json(report); });
  return 0;
}

}  // namespace
}  // namespace pssp

int main(int argc, char** argv) {
  using namespace pssp;
  return run_tool("reroute_impact", argc, argv, parse_reroute_options,
                  [](const RerouteOptions& options) {
                    return options.live ? watch_reroutes(options) : reroute_impact(options);
                  });
}
