#include <tbb/global_control.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "operations/diagnosis/next_round.h"
#include "tests/operations/diagnosis/diagnosed_fabric.h"

using namespace pssp;
using namespace pssp::test;

namespace {

using Kind = SuspectObject::Kind;

std::vector<RateMeasurement> simulated(const DiagnosedFabric& made, std::uint32_t rounds,
                                       const std::vector<SimulatedFault>& faults,
                                       std::uint64_t seed) {
  const RoundPlan plan =
      plan_rounds(*made.alternatives, made.units, {.rounds = rounds, .seed = seed});
  std::vector<RateMeasurement> measurements =
      measurements_of(made.units, plan, RoundShape::one_direction);
  RateSimulationOptions options;
  options.seed = seed;
  simulate_rates(*made.alternatives, made.nodes->ranks(), faults, options, measurements);
  return measurements;
}

double log_likelihood(double rate, double expected, double noise) {
  const double off = std::log(rate / expected) / noise;
  const double normal = std::exp(-off * off / 2) / (noise * std::sqrt(2 * std::acos(-1.0)));
  return std::log(.97 * normal + .03 * std::min(rate, 1.25) / 1.25);
}

/// The objects that explain the rates best, by exhaustive search: the expected rates are the
/// max-min fair rates of a fabric in which one object is slow, for each object and several speeds.
std::vector<SuspectObject> best_of_all(const DiagnosedFabric& made,
                                       const std::vector<RateMeasurement>& measured,
                                       const RateDiagnosis& diagnosis) {
  std::vector<SuspectObject> objects;
  for (std::uint32_t link = 0; link < made.alternatives->link_count(); ++link) {
    objects.push_back({Kind::direction, link});
    if (link < made.alternatives->reverse(link)) objects.push_back({Kind::cable, link});
  }
  std::vector<SuspectObject> best;
  double most = 0;
  for (const SuspectObject object : objects) {
    for (const double speed : {.03, .12, .25, .4, .5, .65, .8}) {
      std::vector<double> capacity(made.alternatives->link_count());
      for (std::uint32_t l = 0; l < capacity.size(); ++l)
        capacity[l] = made.alternatives->capacity(l);
      const std::vector<double> healthy = expected_rates(*made.alternatives, measured, capacity);
      for (const std::uint32_t link : links_of(*made.alternatives, made.nodes->ranks(), object)) {
        capacity[link] *= speed;
      }
      const std::vector<double> slow = expected_rates(*made.alternatives, measured, capacity);
      double evidence = 0;
      for (std::size_t m = 0; m < measured.size(); ++m) {
        const double rate = measured[m].rate / diagnosis.full_rate;
        evidence += log_likelihood(rate, slow[m], diagnosis.noise) -
                    log_likelihood(rate, healthy[m], diagnosis.noise);
      }
      if (evidence > 0 && object.kind == Kind::cable) evidence += 1;
      if (evidence > most + 1e-6) best.clear();
      if (evidence > most - 1e-6) {
        most = std::max(most, evidence);
        best.push_back(object);
      }
    }
  }
  return best;
}

}  // namespace

TEST_CASE("the first suspect is the most likely object of an exhaustive search") {
  for (const char* spec : {"k-ary-n-tree 4 2", "xgft 6,3 1,2"}) {
    const auto made = diagnosed_fabric(spec, "pssp");
    std::uint32_t suspected = 0;
    for (std::uint32_t trial = 0; trial < 4; ++trial) {
      const std::uint32_t link = (trial * 7 + 3) % made->alternatives->link_count();
      const SimulatedFault fault{{Kind::cable, std::min(link, made->alternatives->reverse(link))},
                                 .25};
      const std::vector<RateMeasurement> measured = simulated(*made, 6, {fault}, trial);
      const RateDiagnosis diagnosis =
          find_slow_objects(*made->alternatives, made->nodes->ranks(), measured);
      if (diagnosis.faults.empty()) continue;
      ++suspected;
      const std::vector<SuspectObject> best = best_of_all(*made, measured, diagnosis);
      INFO(spec << " trial " << trial);
      CHECK(std::find(best.begin(), best.end(), diagnosis.faults[0].object) != best.end());
    }
    CHECK(suspected >= 2);
  }
}

TEST_CASE("three planned rounds find slow cables and adapters, and nothing in a healthy fabric") {
  const auto made = diagnosed_fabric("chic", "pssp");
  const Rehearsal rehearsal(*made->alternatives, made->units, made->nodes->ranks(), {});
  RehearsalOptions options;
  options.trials = 5;
  const auto run = [&] { return rehearsal.run(options); };
  const RehearsalResult cable = run();
  CHECK(cable.alone + cable.in_group == 5);
  CHECK(cable.wrong == 0);
  options.of_adapters = true;
  CHECK(run().alone == 5);
  options.faults = 0;
  CHECK(run().alarms == 0);
  options.of_adapters = false;
  options.faults = 5;
  options.trials = 2;
  const RehearsalResult five = run();
  CHECK(five.alone + five.in_group >= 8);
  CHECK(five.wrong == 0);
}

TEST_CASE(
    "a rehearsal gives the same result with any number of threads, and reports its progress") {
  const auto made = diagnosed_fabric("xgft 6,6 1,3 --permute-ports --seed 5", "pssp");
  const Rehearsal rehearsal(*made->alternatives, made->units, made->nodes->ranks(), {.rounds = 2});
  RehearsalOptions options;
  options.trials = 24;
  options.faults = 3;
  const auto run = [&](std::size_t threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    std::uint64_t configured = 0;
    const RehearsalResult found =
        rehearsal.run(options, [&](std::uint64_t done, std::uint64_t all) {
          CHECK(done == ++configured);
          CHECK(all == 24);
        });
    CHECK(configured == 24);
    CHECK(found.simulated == 72);
    CHECK(found.alone + found.in_group + found.missed == found.simulated);
    return found;
  };
  const RehearsalResult one = run(1);
  CHECK(one.missed > 0);  // otherwise the results could be equal whatever is drawn
  CHECK(run(4) == one);
}

TEST_CASE("a next round separates most groups of suspects") {
  const auto made = diagnosed_fabric("chic", "pssp");
  const Rehearsal rehearsal(*made->alternatives, made->units, made->nodes->ranks(), {});
  RehearsalOptions options;
  options.trials = 6;
  options.kind = Kind::direction;
  const RehearsalResult before = rehearsal.run(options);
  options.with_next = true;
  const RehearsalResult after = rehearsal.run(options);
  CHECK(after.missed <= before.missed);
  CHECK(after.alone > before.alone);
  CHECK(after.wrong == 0);
}

TEST_CASE("without measurements, nothing is slow or suspect") {
  const auto made = diagnosed_fabric("k-ary-n-tree 2 2", "pssp");
  const RateDiagnosis diagnosis = find_slow_objects(*made->alternatives, made->nodes->ranks(), {});
  CHECK(diagnosis.faults.empty());
  CHECK(diagnosis.suspects.empty());
  CHECK(diagnosis.outliers.empty());
}

TEST_CASE("contention caused by the tables is no fault") {
  const auto made = diagnosed_fabric("xgft 6,3 1,2", "pssp");
  // All hosts send to another leaf at the same time: three flows per uplink.
  std::vector<RateMeasurement> measured;
  const std::uint32_t hosts = made->alternatives->endpoint_count();
  for (std::uint32_t round = 0; round < 4; ++round) {
    for (std::uint32_t h = 0; h < hosts; ++h) {
      measured.push_back(
          {.flows = {{h, (h + 6 + round) % hosts}}, .rate = 0, .width = 1, .round = round});
    }
  }
  simulate_rates(*made->alternatives, made->nodes->ranks(), {}, {}, measured);
  const RateDiagnosis diagnosis =
      find_slow_objects(*made->alternatives, made->nodes->ranks(), measured);
  CHECK(diagnosis.faults.empty());
  CHECK(*std::max_element(diagnosis.sharing.begin(), diagnosis.sharing.end()) > 1);
}

TEST_CASE("one measurement over both directions of a cable is not enough evidence of a fault") {
  const auto made = diagnosed_fabric("k-ary-n-tree 4 2", "pssp");
  std::vector<RateMeasurement> measured;
  for (std::uint32_t h = 0; h < 12; ++h) {
    measured.push_back({.flows = {{h, h + 4}, {h + 4, h}}, .rate = 100, .width = 1, .round = h});
  }
  measured[0].rate = 25;
  const RateDiagnosis diagnosis =
      find_slow_objects(*made->alternatives, made->nodes->ranks(), measured);
  CHECK(diagnosis.faults.empty());
  REQUIRE_FALSE(diagnosis.outliers.empty());
  CHECK(diagnosis.outliers.front() == 0);
}
