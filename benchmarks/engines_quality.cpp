// Measures the quality of the tables of all engines of this project, and how close they are to the
// bound. It needs no opensm; opensm_engines_quality.sh measures the engines of OpenSM.
//
//   engines_quality [--patterns N] [--engines A,B,...] [SPEC...]
//
// SPEC is a specification of pssp make-topo or the name of a topology file. The output is
// tab-separated. The time is processor time of all threads.

#include <fmt/core.h>

#include <cstdint>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "evaluator/metrics/effective_bisection_bandwidth.h"
#include "fabric/formats/topology_file.h"
#include "fabric/tables/channel_loads.h"
#include "routing/bounds/index_bound.h"
#include "routing/engines/engine.h"
#include "routing/engines/parts/counts/bandwidth_estimate.h"
#include "tools/kit/command_line.h"
#include "tools/kit/tool.h"
#include "topologies/registry.h"

namespace {

using namespace pssp;

Fabric load(const std::string& spec) {
  if (!std::filesystem::exists(spec)) return make_fabric(spec);
  FabricBuilder builder = std::move(read_topology(spec).builder);
  if (!builder.has_lids()) builder.assign_lids();
  return std::move(builder).build();
}

void print_row(const std::string& spec, const Fabric& fabric, const std::string& engine,
               std::uint64_t patterns, double bound) {
  const std::string name = std::filesystem::path(spec).filename().string();
  try {
    const std::clock_t start = std::clock();
    const ForwardingTables tables = make_engine(engine, {})->route(fabric).tables;
    const double milliseconds = 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    const auto bandwidth =
        effective_bisection_bandwidth(RouteStore(fabric, tables), {.patterns = patterns});
    const BandwidthEstimate estimate = estimate_bandwidth(fabric, tables);
    const double index = edge_forwarding_index(fabric, channel_loads(fabric, tables));
    fmt::print("{}\t{}\t{:.4f}\t{:.4f}\t{:.4f}\t{:.4f}\t{:g}\t{:.3f}\t{:.0f}\n", name, engine,
               bandwidth.mean, bandwidth.standard_error, estimate.mean, estimate.worst_host, index,
               index / bound, milliseconds);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::unsuitable_topology) throw;
    fmt::print("{}\t{}\trefused\n", name, engine);
  }
  std::fflush(stdout);
}

/// One or more fabrics of each common topology.
std::vector<std::string> usual_fabrics() {
  return {"k-ary-n-tree 4 2",
          "odin",
          "chic",
          "chic --kill-links 20 --seed 1",
          "chic --kill-links 20 --seed 2",
          "chic --kill-links 20 --seed 3",
          "deimos",
          "thunderbird",
          "xgft 16,16,16 1,8,8",
          "xgft 16,16,16 1,8,8 --kill-links 100",
          "mesh 5x5 --hosts 2",
          "mesh 4x4x4 --hosts 2",
          "torus 6x6x4",
          "torus 6x6x4 --kill-links 10",
          "hypercube 6 --hosts 2",
          "random-regular 64 --degree 8 --hosts 8",
          "dragonfly --switches 4 --global-links 2 --hosts 2"};
}

struct Arguments {
  std::uint64_t patterns = 2000;
  std::vector<std::string> engines, specs;
};

/// None if --help or --version was answered.
std::optional<Arguments> parse_arguments(int argc, char** argv) {
  Arguments arguments;
  CommandLine line("engines_quality",
                   "Quality of the tables of all engines on generated and saved fabrics.");
  line.option("--patterns", arguments.patterns, "Random bisections").show_default();
  line.option("--engines", arguments.engines, "Engines (default: all)")
      .separated_by(',')
      .one_at_a_time();
  line.option("SPEC", arguments.specs, "Fabrics (default: 17 generated and saved fabrics)");
  if (!line.parse(argc, argv)) return std::nullopt;
  if (arguments.specs.empty()) arguments.specs = usual_fabrics();
  if (!arguments.engines.empty()) return arguments;
  for (const EngineDescription& engine : engine_registry()) {
    arguments.engines.emplace_back(engine.name);
  }
  return arguments;
}

int run(const Arguments& arguments) {
  fmt::print(
      "fabric\tengine\tbandwidth\tstandard error\testimate\tworst host\tindex\tindex/bound\tms\n");
  for (const std::string& spec : arguments.specs) {
    const Fabric fabric = load(spec);
    const double bound = edge_forwarding_index_bound(fabric).value;
    for (const std::string& engine : arguments.engines) {
      print_row(spec, fabric, engine, arguments.patterns, bound);
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return run_tool("engines_quality", [&] {
    const std::optional<Arguments> arguments = parse_arguments(argc, argv);
    return arguments ? run(*arguments) : 0;
  });
}
