#include <catch2/catch.hpp>

#include "fabric/tables/lid_major_tables.h"

using namespace pssp;

TEST_CASE("LidMajorTables has the entries of the tables, and no_port for LIDs beyond them") {
  // Less than a block of LIDs, several blocks, and an incomplete last block.
  for (const Lid max_lid : {Lid{0}, Lid{1}, Lid{63}, Lid{64}, Lid{200}}) {
    ForwardingTables tables(5, max_lid);
    for (std::uint32_t s = 0; s < 5; ++s) {
      for (std::uint32_t lid = 1; lid <= max_lid; ++lid) {
        tables.set(SwitchId(s), static_cast<Lid>(lid),
                   static_cast<PortNumber>((lid * 7 + s * 31) % 250));
      }
    }
    const LidMajorTables by_lid(tables);
    for (std::uint32_t each = 0; each <= max_lid + 3U; ++each) {
      const auto lid = static_cast<Lid>(each);
      const auto column = by_lid.column(lid);
      REQUIRE(column.size() == 5);
      for (std::uint32_t s = 0; s < 5; ++s)
        CHECK(column[s] == (lid <= max_lid ? tables.at(SwitchId(s), lid) : no_port));
    }
  }
  CHECK(LidMajorTables(ForwardingTables()).column(7).empty());
}
