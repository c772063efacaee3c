// Events for the beginning and the end of faults, also of many faults at once.

#include <catch2/catch.hpp>
#include <string>

#include "monitor/service/incident_events.h"
#include "tests/monitor/notify/incidents.h"

using namespace pssp;

TEST_CASE("a fault has an event when it begins, when its kind changes, and when it ends") {
  IncidentEvents events;
  CHECK(events.add({}, 1000).empty());
  FabricFault fault = test::faulty_cable("1");
  fault.since_ms = 2000;
  const auto opened = events.add({fault}, 2000);
  REQUIRE(opened.size() == 1);
  CHECK(opened[0].kind == EventKind::fault_opened);
  CHECK_THAT(opened[0].text, Catch::Contains(": symbol errors (SymbolErrorCounter) ("));
  CHECK(events.add({fault}, 3000).empty());
  fault.kind = FaultKind::link_down;
  CHECK(events.add({fault}, 4000).size() == 1);
  const auto ended = events.add({}, 62'000);
  REQUIRE(ended.size() == 1);
  CHECK(ended[0].kind == EventKind::fault_ended);
  CHECK_THAT(ended[0].text, Catch::Contains("link down ended after 60 seconds"));
}

TEST_CASE("faults of an earlier process have no second event, and many faults give few events") {
  IncidentEvents events;
  FabricFault old = test::faulty_cable("1");
  old.since_ms = 500;
  CHECK(events.add({old}, 1000).empty());
  std::vector<FabricFault> faults;
  for (int i = 0; i < 30; ++i) {
    faults.push_back(test::faulty_cable(std::to_string(i + 2)));
    faults.back().since_ms = 2000;
  }
  const auto opened = events.add(faults, 2000);
  REQUIRE(opened.size() == 21);
  CHECK(opened[19].text == "and 11 more faults");
  CHECK(opened[20].kind == EventKind::fault_ended);
}
