// A single switch with all hosts is a crossbar, so the simulation of such a switch is the oracle
// here.

#include <catch2/catch.hpp>
#include <memory>

#include "evaluator/metrics/crossbar.h"
#include "evaluator/metrics/run_quantities.h"
#include "evaluator/patterns/registry.h"
#include "tests/evaluator/sample_fabrics.h"

namespace {

using namespace pssp;
using namespace pssp::test;

constexpr std::uint32_t ranks = 16;

std::unique_ptr<Pattern> pattern_of(const char* name) {
  PatternSpec request;
  request.pattern = name;
  request.ranks = ranks;
  request.ranks_of_first = 8;
  return make_pattern(request);
}

}  // namespace

TEST_CASE("on a crossbar only the host links are congested") {
  const RoutedFabric routed = single_switch(ranks);
  const RouteStore routes(routed.fabric, routed.tables);
  HostMappingOptions mapping_options;
  mapping_options.ranks = ranks;
  const HostMapping mapping(routed.fabric, mapping_options);
  for (const char* name :
       {"bisect", "bisect_fb_sym", "rand", "tree", "bruck", "recdbl", "ring", "gather", "scatter",
        "neighbor:3", "6neighbor", "all_to_all", "pairwise", "ptrnvsptrn:tree::gather"}) {
    INFO(name);
    const auto pattern = pattern_of(name);
    const SimulationResult result = simulate(routes, *pattern, mapping, {});
    const CrossbarCongestion crossbar = crossbar_congestion(*pattern, ranks, 1);
    CHECK(crossbar.optimistic == Approx(RunQuantity::optimistic_congestion.of(result.runs[0])));
    CHECK(crossbar.pessimistic == Approx(RunQuantity::pessimistic_congestion.of(result.runs[0])));
  }
}

TEST_CASE(
    "a pattern with six neighbors congests a crossbar 6 times, as in the Cluster 2008 paper") {
  PatternSpec request;
  request.pattern = "neighbor:6";
  request.ranks = 21;  // three complete groups of seven ranks
  const CrossbarCongestion crossbar = crossbar_congestion(*make_pattern(request), 21, 1);
  CHECK(crossbar.optimistic == 6);
  CHECK(crossbar.pessimistic == 6);
}

TEST_CASE("crossbar congestion is defined for single phases and for patterns without flows") {
  const auto mixed = pattern_of("ptrnvsptrn:tree::gather");
  CHECK(crossbar_congestion(*mixed, ranks, 1, 0).pessimistic == 7);
  const auto null = pattern_of("null");
  CHECK(crossbar_congestion(*null, ranks, 1).optimistic == 0);
}
