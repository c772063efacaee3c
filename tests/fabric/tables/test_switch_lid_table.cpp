#include <algorithm>
#include <catch2/catch.hpp>
#include <type_traits>

#include "fabric/tables/forwarding_tables.h"
#include "fabric/tables/service_levels.h"

using namespace pssp;

TEMPLATE_TEST_CASE("a new SwitchLidTable is empty and stores entries", "", ForwardingEntry,
                   ServiceLevelEntry) {
  SwitchLidTable<TestType> table(3, 9);
  CHECK(table.switch_count() == 3);
  CHECK(table.max_lid() == 9);
  CHECK(table.width() == 10);
  CHECK(table.entries().size() == 30);
  CHECK(std::all_of(table.entries().begin(), table.entries().end(),
                    [](auto entry) { return entry == TestType::none; }));
  table.set(SwitchId(1), 9, 7);
  CHECK(table.at(SwitchId(1), 9) == 7);
  CHECK(table.row(SwitchId(1))[9] == 7);
  CHECK(table.entries()[19] == 7);
  CHECK(std::count(table.entries().begin(), table.entries().end(), TestType::none) == 29);
  CHECK_FALSE(table == SwitchLidTable<TestType>(3, 9));
}

TEST_CASE("default ForwardingTables have no switches and no LIDs", "") {
  const ForwardingTables nothing;
  CHECK(nothing.switch_count() == 0);
  CHECK(nothing.max_lid() == 0);
  CHECK(nothing.entries().empty());
}

TEST_CASE("ForwardingTables cannot be converted to ServiceLevels", "") {
  STATIC_REQUIRE_FALSE(std::is_convertible_v<ForwardingTables, ServiceLevels>);
}
