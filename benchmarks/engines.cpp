// Measures the time of the engines of this project and of the verification alone.
//
//   bench_engines
//
// opensm_routing_phase.sh compares them with the engines of OpenSM in the same subnet manager.

#include <benchmark/benchmark.h>

#include <string>

#include "base/workers.h"
#include "routing/engines/engine.h"
#include "routing/verify/verify.h"
#include "topologies/registry.h"

namespace {

constexpr const char* fabrics[] = {
    "chic",        "deimos",      "thunderbird",           "xgft 16,16,16 1,8,8",
    "torus 6x6x4", "hypercube 6", "mesh 16x16x4 --hosts 2"};

void route(benchmark::State& state, const char* engine, const char* spec) {
  const pssp::Fabric fabric = pssp::make_fabric(spec);
  const auto made = pssp::make_engine(engine, {});
  const pssp::RouteRequest request{.workers = pssp::workers_or_all(0)};
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(made->route(fabric, request));
}

void check(benchmark::State& state, const char* spec) {
  const pssp::Fabric fabric = pssp::make_fabric(spec);
  const pssp::Routing routing = pssp::make_engine("pssp", {})->route(fabric);
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(pssp::verify(fabric, routing.tables));
}

const bool registered = [] {
  for (const char* spec : fabrics) {
    const std::string fabric(spec);
    const bool is_mesh = fabric.starts_with("torus") || fabric.starts_with("mesh") ||
                         fabric.starts_with("hypercube");
    for (const pssp::EngineDescription& engine : pssp::engine_registry()) {
      if (engine.name == "meshdor" && !is_mesh) continue;
      benchmark::RegisterBenchmark((std::string(engine.name) + "/" + fabric).c_str(), route,
                                   engine.name.data(), spec)
          ->Unit(benchmark::kMillisecond);
    }
    benchmark::RegisterBenchmark(("verify/" + fabric).c_str(), check, spec)
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
