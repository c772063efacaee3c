// Tests text and JSON reports on assigned service levels.

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "evaluator/report/lane_report.h"
#include "evaluator/scoring/lane_proof.h"
#include "routing/deadlock/lane_assignment.h"
#include "routing/engines/engine.h"
#include "tools/eval_lft/json/report_json.h"
#include "topologies/registry.h"

using namespace pssp;

TEST_CASE("reports on assigned service levels name missing levels, reserved lanes and cycles") {
  const Fabric fabric = make_fabric("torus 5 --hosts 2");
  const ForwardingTables tables = make_engine("pssp", {})->route(fabric).tables;
  ServiceLevels levels = assign_lanes(fabric, tables).service_levels;
  const auto proof = [&] { return prove_lanes("some.sl", fabric, tables, levels, {}); };
  CHECK(proof().is_usable());
  CHECK_THAT(to_text(fabric, proof()), Catch::StartsWith("Virtual lanes by some.sl: free of"));
  nlohmann::ordered_json json = to_json(fabric, proof());
  CHECK(json["deadlock_free"] == true);
  CHECK(json["lanes"] == 2);
  CHECK(json["pairs_by_lane"].size() == 2);
  CHECK(json["dependencies_by_lane"].size() == 2);
  CHECK(json["cycle"].empty());
  CHECK(json["cycle_lane"].is_null());
  CHECK(json["routes_without_level"] == 0);

  const Lid lid = fabric.end_port(fabric.endpoints()[0]).lid;
  const SwitchId far((fabric.end_port(fabric.endpoints()[0]).attached.value() + 1) % 5);
  const ServiceLevel right = levels.at(far, lid);
  levels.set(far, lid, no_service_level);
  CHECK_FALSE(proof().is_usable());
  CHECK(to_json(fabric, proof())["routes_without_level"] == 1);
  CHECK_THAT(to_text(fabric, proof()),
             Catch::Contains("NOT SAFE") && Catch::Contains(fabric.label(far) + " to LID"));
  levels.set(far, lid, max_data_lanes);
  CHECK_FALSE(proof().is_usable());
  CHECK(proof().report.is_deadlock_free());
  CHECK_THAT(to_text(fabric, proof()), Catch::Contains("lane 15 is for subnet management"));
  levels.set(far, lid, right);
  CHECK(proof().is_usable());

  for (std::uint32_t s = 0; s < 5; ++s) {
    for (const Lid each : fabric.lids()) levels.set(SwitchId(s), each, 4);
  }
  json = to_json(fabric, proof());
  CHECK(json["deadlock_free"] == false);
  CHECK(json["cycle_lane"] == 4);
  CHECK(json["cycle"].size() == 5);
  CHECK(json["pairs_by_lane"].size() == 5);
  CHECK_THAT(to_text(fabric, proof()), Catch::Contains("lane 4: 5 channels wait for each other"));
}
