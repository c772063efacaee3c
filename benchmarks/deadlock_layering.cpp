// Measures how many lanes tables need, and the time to assign lanes and to prove the assignment.
//
//   bench_deadlock_layering [TOPOLOGY TABLES]...
//
// TOPOLOGY is a file or a specification of pssp make-topo. TABLES is the name of an engine of this
// project or a dump of forwarding tables. Default: nine generated fabrics with the engines pssp and
// p2ssp. The counter `lanes` is the number of lanes that the assignment needs. deadlock_lanes.sh
// compares it with dfsssp of OpenSM.

#include <benchmark/benchmark.h>

#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fabric/formats/lft_file.h"
#include "fabric/formats/lft_matching.h"
#include "fabric/formats/topology_file.h"
#include "routing/deadlock/lane_assignment.h"
#include "routing/engines/engine.h"
#include "routing/verify/lanes.h"
#include "topologies/registry.h"

namespace {

constexpr const char* fabrics[] = {"chic",
                                   "deimos",
                                   "thunderbird",
                                   "xgft 16,16,16 1,8,8",
                                   "mesh 4x4x4 --hosts 2",
                                   "torus 6x6x4",
                                   "hypercube 6 --hosts 2",
                                   "random-regular 64 --degree 8 --hosts 8",
                                   "dragonfly --switches 4 --global-links 2 --hosts 2"};

struct Routed {
  pssp::Fabric fabric;
  pssp::ForwardingTables tables;
};

pssp::Fabric fabric_of(const std::string& topology) {
  if (!std::filesystem::exists(topology)) return pssp::make_fabric(topology);
  pssp::FabricBuilder builder = std::move(pssp::read_topology(topology).builder);
  if (!builder.has_lids()) builder.assign_lids();
  return std::move(builder).build();
}

Routed routed(const std::string& topology, const std::string& tables) {
  if (std::filesystem::exists(tables)) {
    pssp::MatchedTables matched =
        pssp::match_tables(pssp::read_topology(topology), pssp::read_lft(tables));
    return {std::move(matched.fabric), std::move(matched.tables)};
  }
  pssp::Fabric fabric = fabric_of(topology);
  pssp::ForwardingTables made = pssp::make_engine(tables, {})->route(fabric).tables;
  return {std::move(fabric), std::move(made)};
}

void assign(benchmark::State& state, const Routed& routed) {
  pssp::LaneAssignment assignment;
  for ([[maybe_unused]] auto _ : state)
    assignment = pssp::assign_lanes(routed.fabric, routed.tables);
  state.counters["lanes"] = assignment.needed;
}

void prove(benchmark::State& state, const Routed& routed) {
  const auto levels = pssp::assign_lanes(routed.fabric, routed.tables).service_levels;
  bool is_free = true;
  for ([[maybe_unused]] auto _ : state)
    is_free = pssp::verify_lanes(routed.fabric, routed.tables, levels).is_deadlock_free();
  if (!is_free) state.SkipWithError("an assignment that can deadlock");
}

/// Loads the tables only when the first benchmark that uses them runs, so that a filter saves the
/// time for the others.
void add(const std::string& topology, const std::string& tables) {
  const auto input = std::make_shared<std::unique_ptr<Routed>>();
  const auto with_input = [=](void (*run)(benchmark::State&, const Routed&)) {
    return [=](benchmark::State& state) {
      if (!*input) *input = std::make_unique<Routed>(routed(topology, tables));
      run(state, **input);
    };
  };
  const std::string name = tables + "/" + topology;
  benchmark::RegisterBenchmark(("assign/" + name).c_str(), with_input(assign))
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark(("prove/" + name).c_str(), with_input(prove))
      ->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    benchmark::Initialize(&argc, argv);
    for (int i = 1; i + 1 < argc; i += 2) add(argv[i], argv[i + 1]);
    if (argc == 1) {
      for (const char* fabric : fabrics) {
        for (const char* engine : {"pssp", "p2ssp"}) add(fabric, engine);
      }
    }
    benchmark::RunSpecifiedBenchmarks();
  } catch (const std::exception& error) {
    std::cerr << "bench_deadlock_layering: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
