#include <catch2/catch.hpp>
#include <vector>

#include "fabric/tables/forwarding_tables.h"
#include "fabric/tables/table_columns.h"

using namespace pssp;

TEST_CASE("TableColumns has the entries of the tables, for any order of requests") {
  constexpr Lid max_lid = 200;
  ForwardingTables tables(5, max_lid);
  for (std::uint32_t s = 0; s < 5; ++s) {
    for (std::uint32_t lid = 1; lid <= max_lid; ++lid) {
      tables.set(SwitchId(s), static_cast<Lid>(lid),
                 static_cast<PortNumber>((lid * 7 + s * 31) % 250));
    }
  }
  TableColumns<ForwardingTables> columns(tables);
  std::vector<unsigned> lids;
  for (unsigned lid = 0; lid <= max_lid + 3U; ++lid) lids.push_back(lid);
  for (const unsigned lid :
       {199U, 200U, 201U, 3U, 4U, 5U, 0U, 70U, 69U, 131U, 132U, 400U, 401U, 1U})
    lids.push_back(lid);
  for (const unsigned each : lids) {
    const auto lid = static_cast<Lid>(each);
    const auto column = columns.column(lid);
    REQUIRE(column.size() == 5);
    for (std::uint32_t s = 0; s < 5; ++s)
      CHECK(column[s] == (lid <= max_lid ? tables.at(SwitchId(s), lid) : no_port));
  }
}
