#include <catch2/catch.hpp>
#include <set>

#include "monitor/counters/event.h"

using namespace pssp;

TEST_CASE("every kind of event has its own name", "[monitor]") {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < event_kind_count; ++i) names.insert(name_of(EventKind(i)));
  CHECK(names.size() == event_kind_count);
  CHECK(names.count("") == 0);
  CHECK(name_of(EventKind::topology_changed) == "topology_changed");
  CHECK(name_of(EventKind::port_back) == "port_back");
}
