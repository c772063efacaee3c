// Measures the time of one run of a communication pattern, with all its phases, on one core.

#include "evaluator/flows/pattern_simulation.h"

#include <benchmark/benchmark.h>
#include <tbb/global_control.h>

#include <array>
#include <string>

#include "evaluator/flows/route_store.h"
#include "evaluator/hosts/host_mapping.h"
#include "evaluator/patterns/registry.h"
#include "routing/engines/engine.h"
#include "topologies/registry.h"

namespace {

constexpr std::array fabrics{"odin", "chic", "thunderbird", "torus 10x10x10 --hosts 2"};
constexpr std::array patterns{"bisect", "rand",   "bruck",     "neighbor:6",
                              "gather", "shifts", "all_to_all"};

void simulate(benchmark::State& state, const char* pattern_name, const char* topology) {
  const pssp::Fabric fabric = pssp::make_fabric(topology);
  const pssp::Routing routing = pssp::make_engine("pssp", {})->route(fabric);
  const pssp::RouteStore routes(fabric, routing.tables);
  const pssp::HostMapping mapping(fabric, {});
  pssp::PatternSpec request;
  request.pattern = pattern_name;
  request.ranks = mapping.ranks();
  const auto pattern = pssp::make_pattern(request);
  const tbb::global_control one_core(tbb::global_control::max_allowed_parallelism, 1);
  pssp::SimulationOptions options;
  std::uint64_t flows = 0;
  for ([[maybe_unused]] auto _ : state) {
    ++options.seed;
    flows += pssp::simulate(routes, *pattern, mapping, options).runs.front().flows;
  }
  state.counters["flows/s"] =
      benchmark::Counter(static_cast<double>(flows), benchmark::Counter::kIsRate);
}

const bool registered = [] {
  for (const char* fabric : fabrics) {
    for (const char* pattern : patterns) {
      benchmark::RegisterBenchmark((std::string(pattern) + "/" + fabric).c_str(), simulate, pattern,
                                   fabric)
          ->Unit(benchmark::kMillisecond);
    }
  }
  return true;
}();

}  // namespace
