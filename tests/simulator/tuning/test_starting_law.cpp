#include <catch2/catch.hpp>

#include "congestion/profiles.h"
#include "simulator/tuning/starting_law.h"
#include "tests/simulator/oracles/simulated.h"

using namespace pssp;
using namespace pssp::test;

TEST_CASE("the root of experiment A has three contributors") {
  const RoutedNetwork mesh = thesis_mesh(3);
  Traffic traffic = traffic_of(milliseconds(2), microseconds(200));
  for (const char* from : {"H112", "H211", "H121"})
    traffic.flows.push_back(mesh.flow(from, "H221"));
  traffic.flows.push_back(mesh.flow("H111", "H121"));
  traffic.flows.back().victim = true;
  const Model model = thesis_model();
  const auto roots =
      find_roots(mesh.fabric, mesh.tables, traffic, model, simulate_run(mesh, traffic, model));
  REQUIRE(roots.size() == 1);
  CHECK(PortDirectory(mesh.fabric, model).name(roots[0].port) == "SW22[1] -> H221");
  CHECK(roots[0].contributors == 3);
  CHECK(roots[0].packet_ns == Approx(2176));
  CHECK(slowness_of(roots) == Approx(3.0 / 5));
  CHECK(slowness_of({}) == 1);
  // A third of the link corresponds to a delay of 2, which is entry 6 of a table for 50 flows. A
  // notification comes every 13.056 us, and the timer removes one every 249.856 us.
  const CongestionParameters set = load_congestion_parameters("thesis-mesh");
  CHECK(settling_ns(roots[0], set, model).value() ==
        Approx(6 / (1 / 13056.0 - 1 / 249856.0)).epsilon(1e-6));
  CHECK_FALSE(settling_ns(roots[0], load_congestion_parameters("off"), model));
}

TEST_CASE("a port with two contributors is a root, and a port with one saturating flow is not") {
  const RoutedNetwork mesh = thesis_mesh(3);
  const Model model = thesis_model();
  Traffic traffic = traffic_of(milliseconds(1), microseconds(200));
  traffic.flows.push_back(mesh.flow("H112", "H221"));
  CHECK(find_roots(mesh.fabric, mesh.tables, traffic, model, simulate_run(mesh, traffic, model))
            .empty());
  traffic.flows.push_back(mesh.flow("H211", "H221"));
  const auto roots =
      find_roots(mesh.fabric, mesh.tables, traffic, model, simulate_run(mesh, traffic, model));
  REQUIRE(roots.size() == 1);
  CHECK(roots[0].contributors == 2);
  // A run that ended with its warm-up has no measurements and therefore no root.
  Outcome ended = simulate_run(mesh, traffic, model);
  ended.simulated = traffic.warmup;
  CHECK(find_roots(mesh.fabric, mesh.tables, traffic, model, ended).empty());
}

TEST_CASE("the tuning search starts on the plateau of the law") {
  ParameterSpace space;
  space.axes = {parse_tuning_axis("CCTI_Timer=10us..2ms"), parse_tuning_axis("Marking_Rate=0..50"),
                parse_tuning_axis("Threshold=1..15")};
  const CongestionParameters base = load_congestion_parameters("thesis-mesh");
  Model model;
  const auto points = starting_points(space, base, model, 1);
  REQUIRE(points.size() == 5);
  const auto timer = [&](const TuningPoint& point) {
    return space.axes[0].number_of(space.axes[0].value_at(point[0]));
  };
  CHECK(timer(points[0]) == Approx(150e3).epsilon(0.02));
  CHECK(space.axes[1].value_at(points[0][1]) == "1");
  CHECK(timer(points[3]) == Approx(75e3 * 11).epsilon(0.02));
  model.marking = Marking::every_nth;
  CHECK(timer(starting_points(space, base, model, 2)[0]) == Approx(150e3).epsilon(0.02));
  // If only the timer varies, Marking_Rate comes from the base.
  space.axes = {parse_tuning_axis("CCTI_Timer=10us..2ms")};
  model.marking = Marking::unmarked_between;
  CHECK(starting_points(space, base, model, 1).size() == 3);
}
