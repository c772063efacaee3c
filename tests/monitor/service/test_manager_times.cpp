// Tests since when subnet managers have been in their current state.

#include <catch2/catch.hpp>

#include "monitor/service/daemon_sink.h"

using namespace pssp;

TEST_CASE("the state of a manager dates from its first answer or from its last change") {
  ManagerTimes times;
  ManagerView first, second;
  first.guid = 1;
  first.state = "master";
  second.guid = 2;
  second.state = "standby";
  CHECK(times.since(first, 1000) == 1000);
  CHECK(times.since(first, 2000) == 1000);
  CHECK(times.since(second, 2000) == 2000);
  first.state = "standby";
  CHECK(times.since(first, 3000) == 3000);
  CHECK(times.first_ms() == 1000);
}
