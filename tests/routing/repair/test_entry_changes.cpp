#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "routing/repair/entry_changes.h"

using namespace pssp;

namespace {

constexpr std::size_t switches = 4;

ForwardingTables random_entries(Lid max_lid, std::mt19937_64& random) {
  ForwardingTables tables(switches, max_lid);
  for (std::uint32_t s = 0; s < switches; ++s) {
    for (std::uint32_t lid = 1; lid <= max_lid; ++lid) {
      tables.set(SwitchId(s), static_cast<Lid>(lid),
                 random() % 9 == 0 ? no_port : static_cast<PortNumber>(random() % 4));
    }
  }
  return tables;
}

PortNumber entry(const ForwardingTables& tables, SwitchId s, std::uint32_t lid) {
  return lid <= tables.max_lid() ? tables.at(s, static_cast<Lid>(lid)) : no_port;
}

}  // namespace

TEST_CASE("count_changes agrees with a count entry by entry, whatever the table widths are") {
  std::mt19937_64 random(1);
  for (int round = 0; round < 50; ++round) {
    const ForwardingTables before = random_entries(static_cast<Lid>(random() % 400), random);
    ForwardingTables now = random_entries(static_cast<Lid>(random() % 400), random);
    // Mostly equal rows, with a few differences.
    for (std::uint32_t s = 0; s < switches; ++s) {
      for (std::uint32_t lid = 1; lid <= std::min(before.max_lid(), now.max_lid()); ++lid) {
        if (random() % 100 != 0) {
          now.set(SwitchId(s), static_cast<Lid>(lid),
                  before.at(SwitchId(s), static_cast<Lid>(lid)));
        }
      }
    }
    const auto could_stay = [](SwitchId s, Lid lid) { return (s.value() + lid) % 3 == 0; };
    EntryChanges expected;
    for (std::uint32_t s = 0; s < switches; ++s) {
      const SwitchId at(s);
      for (std::uint32_t lid = 0; lid <= std::max(before.max_lid(), now.max_lid()); ++lid) {
        const PortNumber was = entry(before, at, lid), is = entry(now, at, lid);
        if (was == is) {
          expected.kept += was == no_port ? 0 : 1;
        } else {
          expected.added += was == no_port ? 1 : 0;
          expected.removed += is == no_port ? 1 : 0;
          const bool both = was != no_port && is != no_port;
          const bool moved = both && could_stay(at, static_cast<Lid>(lid));
          expected.moved += moved ? 1 : 0;
          expected.replaced += both && !moved ? 1 : 0;
        }
      }
    }
    const EntryChanges found = count_changes(before, now, could_stay);
    CHECK(found.kept == expected.kept);
    CHECK(found.replaced == expected.replaced);
    CHECK(found.moved == expected.moved);
    CHECK(found.added == expected.added);
    CHECK(found.removed == expected.removed);
  }
}
