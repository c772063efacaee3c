#include <catch2/catch.hpp>
#include <limits>

#include "base/duration_text.h"

using pssp::duration_text;

TEST_CASE("durations are written in words, rounded to a suitable unit", "[base]") {
  CHECK(duration_text(-1) == "less than a second");
  CHECK(duration_text(std::numeric_limits<double>::quiet_NaN()) == "less than a second");
  CHECK(duration_text(0.49) == "less than a second");
  CHECK(duration_text(1) == "1 second");
  CHECK(duration_text(59.6) == "60 seconds");
  CHECK(duration_text(119.4) == "119 seconds");
  CHECK(duration_text(119.6) == "2 minutes");
  CHECK(duration_text(180) == "3 minutes");
  CHECK(duration_text(3600) == "1 hour");
  CHECK(duration_text(5400) == "90 minutes");
  CHECK(duration_text(7199) == "2 hours");
  CHECK(duration_text(9000) == "2.5 hours");
  CHECK(duration_text(86'400) == "24 hours");
  CHECK(duration_text(2 * 86'400) == "2 days");
  CHECK(duration_text(30.4 * 86'400) == "30 days");
  CHECK(duration_text(1e9) == "11574 days");
}
