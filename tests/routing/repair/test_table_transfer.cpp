#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "fabric/formats/lft_writer.h"
#include "routing/engines/engine.h"
#include "routing/repair/table_transfer.h"
#include "tests/fabric/tables/random_tables.h"
#include "tests/routing/repair/repair_testing.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

/// Compares entry by entry; switches correspond by GUID.
void check_transferred(const Fabric& before, const ForwardingTables& tables, const Fabric& now,
                       const ForwardingTables& transferred) {
  REQUIRE(transferred.switch_count() == now.switch_count());
  std::uint64_t wrong = 0;
  for (std::uint32_t s = 0; s < now.switch_count(); ++s) {
    const auto from = before.find_switch(now.switch_at(SwitchId(s)).guid);
    for (std::size_t lid = 0; lid <= last_unicast_lid; ++lid) {
      const PortNumber expected = from ? test::entry(tables, from->value(), lid) : no_port;
      if (test::entry(transferred, s, lid) != expected) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("transferred tables follow their switches into another numbering", "[stable]") {
  const Fabric whole = make_fabric("torus 4x4 --hosts 2 --shuffle-guids");
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Fabric part = test::damaged(whole, 3, 4, seed);
    const ForwardingTables of_whole = test::noise_tables(whole, seed);
    const ForwardingTables of_part = test::noise_tables(part, seed);
    check_transferred(whole, of_whole, part, transfer_tables(whole, of_whole, part));
    check_transferred(part, of_part, whole, transfer_tables(part, of_part, whole));
  }
}

TEST_CASE("transfer_tables needs only the GUIDs of the previous fabric", "[stable]") {
  const Fabric now = make_fabric("mesh 2x2");
  ForwardingTables tables(3, 2);
  tables.set(SwitchId(0), 1, 7);
  tables.set(SwitchId(1), 2, 8);
  tables.set(SwitchId(2), 1, 9);
  const Guid gone = 0xdead;
  const std::vector<Guid> switches = {now.switch_at(SwitchId(3)).guid, gone,
                                      now.switch_at(SwitchId(0)).guid};
  ForwardingTables expected(4, now.max_lid());
  expected.set(SwitchId(3), 1, 7);
  expected.set(SwitchId(0), 1, 9);
  CHECK(transfer_tables(switches, tables, now) == expected);
}

TEST_CASE("transfer_tables also transfers the tables of a dump", "[stable]") {
  const Fabric whole = make_fabric("torus 4x4 --hosts 2");
  const Fabric part = test::damaged(whole, 3, 4, 1);
  const ForwardingTables tables = make_engine("pssp", {})->route(whole).tables;
  const std::string text = to_lft_dump(whole, tables);
  const LftFile dump = parse_lft(text, "previous.lft");
  check_transferred(whole, tables, part, transfer_tables(dump, part));
  check_transferred(whole, tables, whole, transfer_tables(dump, whole));
}

TEST_CASE("transfer_tables rejects the dump of another fabric", "[stable]") {
  const Fabric fabric = make_fabric("mesh 2x2");
  const Fabric other = make_fabric("mesh 2x2 --shuffle-guids --seed 3");
  const std::string text = to_lft_dump(other, make_engine("pssp", {})->route(other).tables);
  const LftFile dump = parse_lft(text, "other.lft");
  CHECK_THROWS_WITH(transfer_tables(dump, fabric),
                    Catch::Contains("other.lft") && Catch::Contains("none of its 4 switches"));
}
