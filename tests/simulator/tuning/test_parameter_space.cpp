#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "base/error.h"
#include "simulator/tuning/parameter_space.h"

using namespace pssp;

TEST_CASE("a tuning range of times includes its ends, in units of the timer") {
  const TuningAxis axis = parse_tuning_axis("CCTI_Timer=10us..2ms");
  CHECK(axis.value_at(0) == "10.240us");
  CHECK(axis.value_at(1) == "1999.872us");
  CHECK(axis.is_by_ratio());
  // The middle of a range by ratio is the geometric mean.
  CHECK(axis.number_of(axis.value_at(0.5)) == Approx(143000).epsilon(0.01));
  CHECK(axis.place_of(axis.number_of(axis.value_at(0.7))) == Approx(0.7).margin(0.001));
}

TEST_CASE("tuning axes may be ranges from 0, narrow ranges or lists") {
  const TuningAxis rate = parse_tuning_axis("Marking_Rate=0..50");
  CHECK(rate.value_at(0) == "0");
  CHECK(rate.value_at(1) == "50");
  CHECK(rate.value_at(rate.place_of(10)) == "10");
  const TuningAxis narrow = parse_tuning_axis("Threshold=5..15");
  CHECK_FALSE(narrow.is_by_ratio());
  CHECK(narrow.value_at(0.5) == "10");
  const TuningAxis list = parse_tuning_axis("Threshold = 2, 8 ,15,8");
  CHECK(list.values == std::vector<std::string>{"2", "8", "15"});
  CHECK(list.value_at(0) == "2");
  CHECK(list.value_at(1) == "15");
  CHECK(list.value_at(list.place_of(9)) == "8");
  CHECK(parse_tuning_axis("table.largest_delay=1us..100us").value_at(0) == "1us");
}

TEST_CASE("malformed tuning axes are refused") {
  for (const char* text : {"", "CCTI_Timer", "=1..2", "Threshold=", "Threshold=5..2",
                           "Threshold=a..b", "CCTI_Timer=1us..100ms", "Threshold=1,,2"}) {
    INFO(text);
    CHECK_THROWS_AS(parse_tuning_axis(text), Error);
  }
  for (const std::string_view text : default_tuning_axes()) CHECK_NOTHROW(parse_tuning_axis(text));
}

TEST_CASE("a Latin hypercube has one point in each stratum of each axis") {
  ParameterSpace space;
  for (const std::string_view text : default_tuning_axes()) {
    space.axes.push_back(parse_tuning_axis(text));
  }
  constexpr std::size_t count = 17;
  const auto points = space.latin_hypercube(count, 5);
  REQUIRE(points.size() == count);
  for (std::size_t a = 0; a < space.axes.size(); ++a) {
    std::set<int> strata;
    for (const TuningPoint& point : points) strata.insert(static_cast<int>(point[a] * count));
    CHECK(strata.size() == count);
  }
  CHECK(points == space.latin_hypercube(count, 5));
  CHECK(points != space.latin_hypercube(count, 6));
}

TEST_CASE("neighbors of a tuning point stay within ranges and use adjacent list values") {
  ParameterSpace space;
  space.axes = {parse_tuning_axis("Marking_Rate=0..50"), parse_tuning_axis("Threshold=2,8,15")};
  const auto around = space.neighbours({0, 0.5}, 0.1);
  REQUIRE(around.size() == 3);
  CHECK(around[0] == TuningPoint{0.1, 0.5});
  CHECK(space.changes_at(around[1]).at(1).second == "2");
  CHECK(space.changes_at(around[2]).at(1).second == "15");
}
