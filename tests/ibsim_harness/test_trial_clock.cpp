#include <catch2/catch.hpp>

#include "ibsim_harness/trial_clock.h"

using namespace pssp;

TEST_CASE("durations are written with one or two units") {
  CHECK(duration_text(59) == "59 s");
  CHECK(duration_text(125) == "2 min 05 s");
  CHECK(duration_text(3720) == "1 h 02 min");
}
