// Compares costs with LinkLoads, which counts all channels by separate code, and found orders with
// all orders of small jobs.

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "evaluator/flows/link_loads.h"
#include "evaluator/patterns/registry.h"
#include "operations/placement/order_choice.h"
#include "routing/engines/engine.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

struct SimulatedJob {
  RouteStore routes;
  std::vector<std::uint32_t> ports;
  JobPaths alternatives;
  PlacedRounds rounds;
};

SimulatedJob simulated_job(const std::string& topology, const std::string& pattern,
                           std::vector<std::uint32_t> ports, std::uint32_t rails) {
  const Fabric fabric = make_fabric(topology);
  const RouteStore routes(fabric, make_engine("pssp", {})->route(fabric).tables);
  const auto positions = static_cast<std::uint32_t>(ports.size()) / rails;
  PatternSpec spec;
  spec.pattern = pattern;
  spec.ranks = positions;
  JobPaths alternatives(routes, ports, rails);
  return {routes, std::move(ports), std::move(alternatives),
          placed_rounds(*make_pattern(spec), positions, 1, rails, 1)};
}

/// The cost of an order. Each host sends at most once per round and rail.
OrderCost counted(const SimulatedJob& job, const NodeOrder& order) {
  OrderCost cost{0, 0, 0};
  std::size_t all = 0;
  for (std::size_t round = 0; round < job.rounds.count(); ++round) {
    std::vector<Flow> flows;
    for (std::size_t i = job.rounds.first[round]; i < job.rounds.first[round + 1]; ++i) {
      const PlacedFlow& flow = job.rounds.flows[i];
      const auto port = [&](std::uint32_t place) {
        return job.ports[order[place] * job.rounds.rails + flow.rail];
      };
      flows.push_back({port(flow.from), port(flow.to)});
    }
    FlowPaths paths(job.routes);
    paths.collect(flows);
    LinkLoads loads(job.routes, HostLinks::counted);
    loads.add(paths);
    std::vector<double> congestion(flows.size());
    loads.congestion(paths, congestion);
    cost.slowest += *std::ranges::max_element(congestion);
    for (const double each : congestion) cost.bandwidth += 1 / each;
    all += flows.size();
  }
  cost.slowest /= static_cast<double>(job.rounds.count());
  cost.bandwidth /= static_cast<double>(all);
  return cost;
}

std::vector<std::uint32_t> random_ports(std::uint32_t hosts, std::uint32_t count,
                                        std::uint64_t seed) {
  RandomGenerator random = random_stream(seed, 1, 0);
  std::vector<std::uint32_t> ports = random_permutation(hosts, random);
  ports.resize(count);
  return ports;
}

}  // namespace

TEST_CASE("placement: the cost of an order equals the cost by LinkLoads") {
  for (const char* pattern : {"shift:1", "shifts", "recdbl", "pipeline"}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      CAPTURE(pattern, seed);
      const SimulatedJob job =
          simulated_job("k-ary-n-tree 4 3", pattern, random_ports(64, 24, seed), 2);
      RandomGenerator random = random_stream(seed, 2, 0);
      const NodeOrder order = random_permutation(12, random);
      const OrderCost cost = cost_of_order(job.alternatives, job.rounds, order);
      const OrderCost expected = counted(job, order);
      CHECK(cost.slowest == Approx(expected.slowest));
      CHECK(cost.bandwidth == Approx(expected.bandwidth));
      CHECK(cost.without_path == 0);
    }
  }
}

TEST_CASE("placement: the search finds the best order of six nodes") {
  for (const char* pattern : {"shift:1", "recdbl", "stencil:2x3"}) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      CAPTURE(pattern, seed);
      const SimulatedJob job =
          simulated_job("k-ary-n-tree 2 4", pattern, random_ports(16, 6, seed), 1);
      NodeOrder order(6);
      std::iota(order.begin(), order.end(), 0U);
      const NodeOrder found =
          search_order(job.alternatives, job.rounds, order, {.visits = 300'000});
      double best = cost_of_order(job.alternatives, job.rounds, order).slowest;
      do {
        best = std::min(best, cost_of_order(job.alternatives, job.rounds, order).slowest);
      } while (std::next_permutation(order.begin(), order.end()));
      CHECK(cost_of_order(job.alternatives, job.rounds, found).slowest == Approx(best));
    }
  }
}

// A round takes as long as its busiest channel. Removing the last congestion from one round is
// therefore worth more than slightly lower loads of many channels.
TEST_CASE("placement: few rounds of recursive doubling stay congested in a large job") {
  double congested = 0;  // congested rounds; a round that takes three times as long counts twice
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const SimulatedJob job = simulated_job("deimos", "recdbl", random_ports(724, 64, seed), 1);
    std::vector<std::uint32_t> by_name(job.ports.size());
    std::iota(by_name.begin(), by_name.end(), 0U);
    std::ranges::sort(by_name, {}, [&](std::uint32_t node) { return job.ports[node]; });
    const NodeOrder found = search_order(job.alternatives, job.rounds, by_name);
    const double slowest = cost_of_order(job.alternatives, job.rounds, found).slowest;
    congested += (slowest - 1) * static_cast<double>(job.rounds.count());
  }
  CHECK(congested < 8.5);  // of 24; 10 if the excess of all rounds is summed
}

// The search stores loads in as few bits as the weights need.
TEST_CASE("placement: the order does not depend on the unit of the weights") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    CAPTURE(seed);
    SimulatedJob job = simulated_job("k-ary-n-tree 4 3", "recdbl", random_ports(64, 32, seed), 2);
    NodeOrder order(16);
    std::iota(order.begin(), order.end(), 0U);
    const NodeOrder found =
        search_order(job.alternatives, job.rounds, order, {.visits = 1'000'000});
    CHECK(found != order);
    // A factor that is a power of two does not change the mantissa of a quotient.
    for (PlacedFlow& flow : job.rounds.flows) flow.weight *= 65536;
    CHECK(search_order(job.alternatives, job.rounds, order, {.visits = 1'000'000}) == found);
  }
}

TEST_CASE("placement: the chosen order is never worse than the given order or the order by leaf") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const SimulatedJob job =
        simulated_job("k-ary-n-tree 4 2", "recdbl", random_ports(16, 9, seed), 1);
    NodeOrder given(9);
    std::iota(given.begin(), given.end(), 0U);
    std::vector<std::uint32_t> leaf_of;
    for (const std::uint32_t port : job.ports) leaf_of.push_back(job.routes.endpoint_row(port));
    const NodeOrder by_leaf = order_by_leaf(given, leaf_of);
    const ChosenOrder choice =
        choose_order(job.alternatives, job.rounds, {{"given", given}, {"by leaf", by_leaf}}, 2,
                     {.visits = 20'000});
    REQUIRE(choice.candidates.size() == 3);
    NodeOrder nodes = choice.best().order;
    const double cost = counted(job, nodes).slowest;
    CHECK(cost <= counted(job, given).slowest + 1e-9);
    CHECK(cost <= counted(job, by_leaf).slowest + 1e-9);
    std::ranges::sort(nodes);
    CHECK(nodes == given);
  }
}
