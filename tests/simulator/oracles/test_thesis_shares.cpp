// Shares of experiments A, B1 and B2 of the thesis. Without congestion control, the expected shares
// follow from round-robin arbitration; with congestion control, they are the published figures.

#include <catch2/catch.hpp>

#include "congestion/profiles.h"
#include "tests/simulator/oracles/simulated.h"

namespace pssp {
namespace {

using namespace test;

struct Experiment {
  RoutedNetwork fabric;
  std::vector<StaticFlow> flows;

  std::vector<double> simulate_run(const CongestionParameters* congestion, Marking marking,
                                   SimulatedTime duration, SimulatedTime warmup) const {
    Traffic traffic = traffic_of(duration, warmup);
    traffic.flows = flows;
    Model model = thesis_model();
    model.root = RootTest::any;
    model.marking = marking;
    return shares(test::simulate_run(fabric, traffic, model, congestion), traffic);
  }
  std::vector<double> off() const {
    return simulate_run(nullptr, Marking::every_nth, milliseconds(12), milliseconds(2));
  }
  std::vector<double> on(Marking marking) const {
    const CongestionParameters start = load_congestion_parameters("thesis-start");
    return simulate_run(&start, marking, milliseconds(40), milliseconds(10));
  }
};

Experiment experiment_a() {
  Experiment a{thesis_mesh(3), {}};
  for (const char* from : {"H112", "H211", "H121"}) a.flows.push_back(a.fabric.flow(from, "H221"));
  a.flows.push_back(a.fabric.flow("H111", "H121"));
  return a;
}

/// `last`: source of the victim flow, which differs between B1 and B2.
Experiment experiment_b(const char* last) {
  Experiment b{thesis_mesh(5), {}};
  for (const char* from : {"H111", "H511", "H551", "H151", "H541"}) {
    b.flows.push_back(b.fabric.flow(from, "H552"));
  }
  b.flows.push_back(b.fabric.flow(last, "H542"));
  return b;
}

void require_shares(const std::vector<double>& found, const std::vector<double>& expected,
                    double tolerance) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i, found[i]);
    CHECK(found[i] == Approx(expected[i]).epsilon(tolerance));
  }
}

}  // namespace

TEST_CASE("oracle 4: experiment A without congestion control gives the round-robin shares") {
  require_shares(experiment_a().off(), {.25, .5, .25, .25}, .01);
}

TEST_CASE(
    "oracle 3: experiments B1 and B2 without congestion control give the round-robin shares") {
  require_shares(experiment_b("H431").off(), {1. / 6, 1. / 6, 1. / 3, 1. / 6, 1. / 6, 1}, .01);
  require_shares(experiment_b("H512").off(), {1. / 6, 1. / 6, 1. / 3, 1. / 6, 1. / 6, 1. / 6}, .01);
}

TEST_CASE("oracle 22: congestion control frees the victim in experiment A") {
  const auto every = experiment_a().on(Marking::every_nth);
  for (int i = 0; i < 3; ++i) CHECK(every[i] == Approx(1. / 3).epsilon(.1));
  CHECK(every[3] >= .98);
  const auto between = experiment_a().on(Marking::unmarked_between);
  for (int i = 0; i < 3; ++i) CHECK((between[i] >= .25 && between[i] <= .43));
  CHECK(between[0] + between[1] + between[2] >= .9);
  CHECK(between[3] >= .9);
}

TEST_CASE("oracle 22: congestion control frees the victims in experiments B1 and B2") {
  for (const Marking marking : {Marking::every_nth, Marking::unmarked_between}) {
    CHECK(experiment_b("H431").on(marking)[5] == Approx(1).epsilon(.01));
  }
  const auto every = experiment_b("H512").on(Marking::every_nth);
  for (int i = 0; i < 5; ++i) CHECK(every[i] == Approx(.2).epsilon(.1));
  CHECK(every[5] >= .98);
  CHECK(experiment_b("H512").on(Marking::unmarked_between)[5] >= .7);
}

}  // namespace pssp
