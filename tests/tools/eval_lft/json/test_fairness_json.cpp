#include <tbb/global_control.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "evaluator/flows/route_store.h"
#include "evaluator/metrics/host_fairness.h"
#include "tests/evaluator/sample_fabrics.h"
#include "tools/eval_lft/json/report_json.h"

namespace {

using namespace pssp;
using namespace pssp::test;

HostFairness fairness_of(const RoutedFabric& routed, std::uint64_t bisections) {
  const RouteStore routes(routed.fabric, routed.tables);
  return host_fairness(routes, {.bisections = bisections, .seed = 5});
}

}  // namespace

TEST_CASE("an unreachable host is the worst, and an infinite ratio is null") {
  // Host 3 of four is unreachable: bandwidth 0 as a receiver, 1 for the others.
  RoutedFabric routed = single_switch(4);
  routed.tables.set(SwitchId(0), routed.fabric.end_port(routed.fabric.endpoints()[3]).lid, no_port);
  const HostFairness broken = fairness_of(routed, 200);
  const auto json = to_json(routed.fabric, broken, 1);
  CHECK(json["worst_hosts"][0]["receiving"]["mean"] == 0);
  CHECK(json.dump().find("\"ratio\":null") != std::string::npos);
}

TEST_CASE("fairness in JSON is identical for any number of threads") {
  const RoutedFabric routed = random_fabric(8, RandomTables::shortest_paths, true);
  const auto all = [&](std::size_t threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    return to_json(routed.fabric, fairness_of(routed, 3000), 100).dump();
  };
  CHECK(all(1) == all(2));
  CHECK(all(1) == all(7));
}
