#include <catch2/catch.hpp>
#include <optional>

#include "evaluator/report/lane_report.h"

using namespace pssp;

TEST_CASE("the report describes numbers of virtual lanes in words") {
  CHECK(describe_lanes(1) == "1");
  CHECK(describe_lanes(3) == "3 suffice");
  CHECK_THAT(describe_lanes(std::nullopt), Catch::Contains("--count-lanes"));
  CHECK(describe_lanes(max_data_lanes + 1) == "more than 15");
}
