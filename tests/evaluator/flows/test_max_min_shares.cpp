#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <set>

#include "base/random.h"
#include "evaluator/flows/max_min_shares.h"

using namespace pssp;

namespace {

/// Straightforward water filling: each round searches all links for the smallest share per unit of
/// weight of the flows that still rise.
std::vector<double> plain_water_filling(const std::vector<SharingFlow>& flows,
                                        std::vector<double> capacities) {
  std::vector<double> rates(flows.size());
  std::set<std::size_t> rising;
  for (std::size_t f = 0; f < flows.size(); ++f) rising.insert(f);
  while (!rising.empty()) {
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t link = 0; link < capacities.size(); ++link) {
      double weight = 0;
      for (const std::size_t f : rising) {
        if (std::ranges::count(flows[f].links, link) != 0) weight += flows[f].weight;
      }
      if (weight > 0) least = std::min(least, capacities[link] / weight);
    }
    for (const std::size_t f : rising) {
      if (flows[f].demand > 0) least = std::min(least, flows[f].demand / flows[f].weight);
    }
    std::vector<std::size_t> stops;
    for (const std::size_t f : rising) {
      bool full = flows[f].demand > 0 && flows[f].demand / flows[f].weight <= least * (1 + 1e-12);
      for (const std::uint32_t link : flows[f].links) {
        double weight = 0;
        for (const std::size_t other : rising) {
          if (std::ranges::count(flows[other].links, link) != 0) weight += flows[other].weight;
        }
        full = full || capacities[link] / weight <= least * (1 + 1e-12);
      }
      if (full) stops.push_back(f);
    }
    for (const std::size_t f : stops) {
      rates[f] = least * flows[f].weight;
      for (const std::uint32_t link : flows[f].links) capacities[link] -= rates[f];
      rising.erase(f);
    }
  }
  return rates;
}

}  // namespace

TEST_CASE("max-min shares of a parking lot are fair, with and without a flow of low demand") {
  // Links 0 and 1 in sequence: flow 0 uses both, flow 1 the first, flow 2 the second.
  const std::vector<SharingFlow> flows{{{0, 1}}, {{0}}, {{1}}};
  const std::vector<double> capacities{1, 2};
  const std::vector<double> shares = max_min_shares(flows, capacities);
  CHECK(shares[0] == Approx(0.5));
  CHECK(shares[1] == Approx(0.5));
  CHECK(shares[2] == Approx(1.5));
  const std::vector<SharingFlow> modest{{{0, 1}, 1, 0.2}, {{0}}, {{1}}};
  CHECK(max_min_shares(modest, capacities)[1] == Approx(0.8));
}

TEST_CASE("a flow of weight 3 gets the max-min share of three flows") {
  const std::vector<SharingFlow> flows{{{0}, 3}, {{0}, 1}};
  const std::vector<double> shares = max_min_shares(flows, std::vector<double>{1});
  CHECK(shares[0] == Approx(0.75));
  CHECK(shares[1] == Approx(0.25));
  CHECK(max_min_shares({}, {}).empty());
}

TEST_CASE("max-min shares match simple water filling on random networks") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomGenerator random = random_stream(seed, 1, 0);
    std::vector<double> capacities(3 + random.below(10));
    for (double& each : capacities) each = 1 + random.below(8);
    std::vector<SharingFlow> flows(1 + random.below(20));
    for (SharingFlow& flow : flows) {
      std::set<std::uint32_t> links;
      const std::uint32_t hops = 1 + random.below(4);
      for (std::uint32_t i = 0; i < hops; ++i) {
        links.insert(random.below(static_cast<std::uint32_t>(capacities.size())));
      }
      flow.links.assign(links.begin(), links.end());
      flow.weight = 1 + random.below(3);
      if (random.below(4) == 0) flow.demand = 0.1 * (1 + random.below(10));
    }
    const std::vector<double> expected = plain_water_filling(flows, capacities);
    const std::vector<double> found = max_min_shares(flows, capacities);
    INFO("seed " << seed);
    for (std::size_t f = 0; f < flows.size(); ++f) CHECK(found[f] == Approx(expected[f]));
  }
}

TEST_CASE("each flow has a full link on which no other flow has a larger max-min share") {
  RandomGenerator random(1, 0);
  for (int trial = 0; trial < 200; ++trial) {
    const std::uint32_t links = 5 + random.below(20);
    std::vector<SharingFlow> flows(1 + random.below(40));
    for (SharingFlow& flow : flows) {
      flow.links = random_permutation(links, random);
      flow.links.resize(1 + random.below(5));
    }
    std::vector<double> capacity;
    for (std::uint32_t l = 0; l < links; ++l) capacity.push_back(.25 * (1 + random.below(8)));
    const std::vector<double> rates = max_min_shares(flows, capacity);
    std::vector<double> used(links, 0), largest(links, 0);
    for (std::size_t f = 0; f < flows.size(); ++f) {
      for (const std::uint32_t l : flows[f].links) {
        used[l] += rates[f];
        largest[l] = std::max(largest[l], rates[f]);
      }
    }
    constexpr double rounding = 1e-9;
    for (std::uint32_t l = 0; l < links; ++l) CHECK(used[l] <= capacity[l] + rounding);
    for (std::size_t f = 0; f < flows.size(); ++f) {
      CHECK(std::ranges::any_of(flows[f].links, [&](std::uint32_t l) {
        return used[l] >= capacity[l] - rounding && rates[f] >= largest[l] - rounding;
      }));
    }
  }
}

TEST_CASE("a flow that is limited elsewhere leaves its max-min share to the other flows") {
  const std::vector<SharingFlow> flows{{{0, 1}}, {{1}}, {{1, 2}}};
  const std::vector<double> rates = max_min_shares(flows, std::vector<double>{.2, 1, 1});
  CHECK(rates[0] == Approx(.2));
  CHECK(rates[1] == Approx(.4));
  CHECK(rates[2] == Approx(.4));
}
