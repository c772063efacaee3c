// How good are the tables of all our engines, and how near the bound? No opensm needed; its engines
// are in opensm_engines_quality.sh.
//
//   engines_quality [--patterns N] [--engines A,B,...] [SPEC...]
//
// A SPEC is what make_topo takes, or the name of a topology file. Prints tab-separated values. The
// time is processor time of all threads.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "evaluator/metrics/effective_bisection_bandwidth.h"
#include "fabric/formats/topology_file.h"
#include "fabric/tables/channel_loads.h"
#include "routing/bounds/index_bound.h"
#include "routing/engines/engine.h"
#include "routing/engines/parts/bandwidth_estimate.h"
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

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t patterns = 2000;
  std::vector<std::string> engines;
  std::vector<std::string> specs;
  CLI::App app("Quality of the tables of all our engines on generated and saved fabrics.");
  app.add_option("--patterns", patterns, "Random bisections")->capture_default_str();
  app.add_option("--engines", engines, "Engines (default: all)")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("SPEC", specs, "Fabrics (default: a dozen and a half)");
  CLI11_PARSE(app, argc, argv);
  if (engines.empty()) {
    for (const EngineDescription& engine : engine_registry()) engines.emplace_back(engine.name);
  }
  if (specs.empty()) {
    specs = {"k-ary-n-tree 4 2",
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
  fmt::print(
      "fabric\tengine\tbandwidth\tstandard error\testimate\tworst host\tindex\tindex/bound\tms\n");
  try {
    for (const std::string& spec : specs) {
      const Fabric fabric = load(spec);
      const double bound = edge_forwarding_index_bound(fabric).value;
      for (const std::string& engine : engines) print_row(spec, fabric, engine, patterns, bound);
    }
  } catch (const Error& error) {
    fmt::print(stderr, "engines_quality: {}\n", error.what());
    return 1;
  }
  return 0;
}
