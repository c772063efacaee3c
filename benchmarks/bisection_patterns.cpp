// Measures how many random bisections a second one core evaluates. One process of ORCS, on the
// same fabrics: 690 a second (128 hosts), 45 (528), 24 (724), 0.72 (4390).

#include <benchmark/benchmark.h>
#include <tbb/global_control.h>

#include <array>
#include <string>

#include "evaluator/flows/route_store.h"
#include "evaluator/metrics/effective_bisection_bandwidth.h"
#include "routing/engines/engine.h"
#include "topologies/registry.h"

namespace {

struct Subject {
  const char* name;
  const char* topology;
};

constexpr std::array subjects{Subject{"director", "director 144 --hosts 128"},
                              Subject{"CHiC", "chic"},
                              Subject{"Deimos", "deimos"},
                              Subject{"Thunderbird", "thunderbird"},
                              Subject{"3-level tree", "xgft 18,18,36 1,18,18"},
                              Subject{"torus", "torus 10x10x10 --hosts 2"}};

void score_bisections(benchmark::State& state, const Subject& subject) {
  const pssp::Fabric fabric = pssp::make_fabric(subject.topology);
  const pssp::Routing routing = pssp::make_engine("pssp", {})->route(fabric);
  const pssp::RouteStore routes(fabric, routing.tables);
  const tbb::global_control one_core(tbb::global_control::max_allowed_parallelism, 1);
  constexpr std::uint64_t patterns = 500;
  std::uint64_t seed = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        pssp::bisection_bandwidths(routes, {.patterns = patterns, .seed = ++seed}));
  }
  const auto scored = static_cast<double>(state.iterations()) * patterns;
  state.counters["patterns/s"] = benchmark::Counter(scored, benchmark::Counter::kIsRate);
  state.counters["hosts"] = routes.endpoint_count();
}

}  // namespace

int main(int argc, char** argv) {
  for (const Subject& subject : subjects) {
    benchmark::RegisterBenchmark(
        subject.name, [&](benchmark::State& state) { score_bisections(state, subject); });
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
