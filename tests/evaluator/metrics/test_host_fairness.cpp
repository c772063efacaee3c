#include <tbb/global_control.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <sstream>
#include <vector>

#include "evaluator/metrics/effective_bisection_bandwidth.h"
#include "evaluator/metrics/host_fairness.h"
#include "evaluator/patterns/bisection.h"
#include "evaluator/report/fairness_report.h"
#include "tests/evaluator/naive_evaluator.h"
#include "tests/evaluator/sample_fabrics.h"

namespace {

using namespace pssp;
using namespace pssp::test;

HostFairness fairness_of(const RoutedFabric& routed, std::uint64_t bisections) {
  const RouteStore routes(routed.fabric, routed.tables);
  return host_fairness(routes, {.bisections = bisections, .seed = 5});
}

/// For each host, the bandwidths of all its flows in one direction, from the naive simulation.
std::vector<std::vector<double>> naive_bandwidths(const RoutedFabric& routed,
                                                  std::uint64_t bisections, bool sending) {
  const auto hosts = static_cast<std::uint32_t>(routed.fabric.endpoints().size());
  std::vector<std::vector<double>> bandwidths(hosts);
  BisectionPattern pattern(hosts);
  for (std::uint64_t i = 0; i < bisections; ++i) {
    const auto flows = pattern.draw(5, i);
    const auto congestion = naive_congestion(routed.fabric, routed.tables, flows);
    for (std::size_t f = 0; f < flows.size(); ++f) {
      bandwidths[sending ? flows[f].source : flows[f].destination].push_back(1 / congestion[f]);
    }
  }
  return bandwidths;
}

void check_shares(const std::vector<HostShare>& shares,
                  const std::vector<std::vector<double>>& expected) {
  REQUIRE(shares.size() == expected.size());
  for (std::size_t host = 0; host < shares.size(); ++host) {
    CAPTURE(host);
    REQUIRE(shares[host].flows == expected[host].size());
    const auto n = static_cast<double>(expected[host].size());
    double sum = 0;
    for (const double x : expected[host]) sum += x;
    CHECK(shares[host].mean == Approx(sum / n).margin(1e-9));
    double squares = 0;
    for (const double x : expected[host]) squares += (x - sum / n) * (x - sum / n);
    CHECK(shares[host].standard_error == Approx(std::sqrt(squares / (n - 1) / n)).margin(2e-5));
  }
}

}  // namespace

TEST_CASE("mean bandwidths of hosts match a naive simulation of the same bisections") {
  for (const std::uint64_t seed : {3U, 4U, 5U, 6U}) {
    const auto kind = seed % 2 == 0 ? RandomTables::shortest_paths : RandomTables::noise;
    const RoutedFabric routed = random_fabric(seed, kind, seed < 5);
    const HostFairness fairness = fairness_of(routed, 120);
    CHECK(fairness.bisections == 120);
    check_shares(fairness.sending, naive_bandwidths(routed, 120, true));
    check_shares(fairness.receiving, naive_bandwidths(routed, 120, false));
  }
}

TEST_CASE("the mean over all hosts is the effective bisection bandwidth of the same bisections") {
  const RoutedFabric routed = cluster_2008_figure_1(true);
  const RouteStore routes(routed.fabric, routed.tables);
  const HostFairness fairness = host_fairness(routes, {.bisections = 500, .seed = 9});
  double sum = 0;
  double flows = 0;
  for (const HostShare& share : fairness.sending) {
    sum += share.mean * share.flows;
    flows += share.flows;
  }
  BisectionOptions options;
  options.patterns = 500;
  options.seed = 9;
  CHECK(sum / flows == Approx(effective_bisection_bandwidth(routes, options).mean).margin(1e-9));
  CHECK(flows == 500 * 8);
}

TEST_CASE("fairness measures match values calculated by hand") {
  // On a single switch, every host has full bandwidth.
  const HostFairness even = fairness_of(single_switch(6), 50);
  CHECK(even.among_senders.ratio == 1);
  CHECK(even.among_senders.jain == 1);
  CHECK(even.among_senders.variation == 0);
  CHECK(even.among_senders.variation_by_chance == 0);
  CHECK(worst_hosts(even, 2) == std::vector<std::uint32_t>{0, 1});

  // Host 3 of four is unreachable: it receives with bandwidth 0, all other hosts with bandwidth 1.
  RoutedFabric routed = single_switch(4);
  routed.tables.set(SwitchId(0), routed.fabric.end_port(routed.fabric.endpoints()[3]).lid, no_port);
  const HostFairness broken = fairness_of(routed, 200);
  CHECK(broken.receiving[3].mean == 0);
  CHECK(std::isinf(broken.among_receivers.ratio));
  CHECK(broken.among_receivers.jain == Approx(9.0 / (4 * 3)));
  CHECK(broken.among_receivers.variation == Approx(std::sqrt(3.0 / 16) / 0.75));
  CHECK(worst_hosts(broken, 1) == std::vector<std::uint32_t>{3});
}

TEST_CASE("fairness does not depend on the number of threads, and its CSV lists every host") {
  const RoutedFabric routed = random_fabric(8, RandomTables::shortest_paths, true);
  const auto all = [&](std::size_t threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    const HostFairness fairness = fairness_of(routed, 3000);
    return to_text(routed.fabric, fairness, 100) + to_csv(routed.fabric, fairness);
  };
  CHECK(all(1) == all(2));
  CHECK(all(1) == all(7));
  std::istringstream lines(to_csv(routed.fabric, fairness_of(routed, 10)));
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line);) ++count;
  CHECK(count == 1 + routed.fabric.endpoints().size());
}

TEST_CASE("fairness is undefined for one host and reports hosts without flows") {
  const RoutedFabric alone = single_switch(1);
  const HostFairness none = fairness_of(alone, 100);
  CHECK(none.bisections == 0);
  CHECK(std::isnan(none.among_senders.jain));
  CHECK(worst_hosts(none, 5).empty());
  CHECK_THAT(to_text(alone.fabric, none, 5), Catch::Matchers::Contains("undefined"));

  const RoutedFabric pair = single_switch(2);
  const HostFairness once = fairness_of(pair, 1);
  CHECK(once.sending[0].flows + once.sending[1].flows == 1);
  CHECK(worst_hosts(once, 5).size() == 2);
  CHECK_THAT(to_csv(pair.fabric, once), Catch::Matchers::Contains(",0,,"));
}
