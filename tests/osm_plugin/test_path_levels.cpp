#include <catch2/catch.hpp>
#include <random>

#include "base/error.h"
#include "osm_plugin/path_levels.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

/// Random service levels; about one entry in seven has none.
ServiceLevels random_levels(const Fabric& fabric, unsigned seed) {
  std::mt19937 random(seed);
  ServiceLevels levels(fabric.switch_count(), fabric.max_lid());
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (const Lid lid : fabric.lids()) {
      if (random() % 7 != 0) levels.set(SwitchId(s), lid, static_cast<ServiceLevel>(random() % 15));
    }
  }
  return levels;
}

/// Tables with an entry for each LID in use.
ForwardingTables full_tables(const Fabric& fabric) {
  ForwardingTables tables(fabric.switch_count(), fabric.max_lid());
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (const Lid lid : fabric.lids()) tables.set(SwitchId(s), lid, 1);
  }
  return tables;
}

}  // namespace

TEST_CASE("a path has the service level that the source's switch has for the destination LID") {
  const Fabric fabric = make_fabric("mesh 3x2 --hosts 2 --lmc 1");
  const ServiceLevels levels = random_levels(fabric, 1);
  const PathLevels paths(fabric, levels, false);
  for (const Lid from : fabric.lids()) {
    for (const Lid to : fabric.lids()) {
      CHECK(paths.between(from, to) == levels.at(fabric.delivery(from).at, to));
    }
  }
}

TEST_CASE("paths from or to LIDs without an owner have no service level") {
  const Fabric fabric = make_fabric("mesh 3x2 --lmc 1");
  const PathLevels paths(fabric, random_levels(fabric, 1), false);
  const Lid known = fabric.lids().front();
  for (const unsigned lid : {0U, fabric.max_lid() + 1U, 0xBFFFU, 0xC000U, 0xFFFFU}) {
    CHECK(paths.between(static_cast<Lid>(lid), known) == no_service_level);
    CHECK(paths.between(known, static_cast<Lid>(lid)) == no_service_level);
  }
  for (Lid lid = 1; lid < fabric.max_lid(); ++lid) {
    if (fabric.delivery(lid).at.valid()) continue;
    CHECK(paths.between(known, lid) == no_service_level);
    CHECK(paths.between(lid, known) == no_service_level);
  }
}

TEST_CASE("stored service levels above 14, the last data lane, are rejected") {
  const Fabric fabric = make_fabric("mesh 3x2 --hosts 2");
  const auto kept_with = [&](ServiceLevel level) {
    ServiceLevels levels = random_levels(fabric, 1);
    levels.set(SwitchId(1), fabric.lids()[2], level);
    const PathLevels paths(fabric, levels, false);
    return PathLevels({paths.switches().begin(), paths.switches().end()},
                      {paths.positions().begin(), paths.positions().end()}, levels, false)
        .levels();
  };
  CHECK(kept_with(14).at(SwitchId(1), fabric.lids()[2]) == 14);
  CHECK_THROWS_AS(kept_with(15), Error);
}

TEST_CASE("service levels are carried over by switch GUID and by LID") {
  const Fabric before = make_fabric("torus 4x4 --hosts 2");
  const PathLevels paths(before, random_levels(before, 2), true);
  CHECK(paths.carried_over(before, full_tables(before)) == paths.levels());

  // Three switches are removed. The remaining LIDs are assigned anew, so many LIDs belong to other
  // hosts.
  const Fabric after = make_fabric("torus 4x4 --hosts 2 --kill-switches 3");
  const ForwardingTables tables = full_tables(after);
  const ServiceLevels carried = paths.carried_over(after, tables);
  const auto place = [](const Fabric& fabric, Lid lid) {
    const SwitchId at = fabric.delivery(lid).at;
    return at.valid() ? fabric.switch_at(at).guid : Guid{0};
  };
  std::size_t kept = 0, dropped = 0;
  for (std::uint32_t s = 0; s < after.switch_count(); ++s) {
    const auto old_switch = before.find_switch(after.switch_at(SwitchId(s)).guid);
    REQUIRE(old_switch);
    for (const Lid lid : after.lids()) {
      if (place(before, lid) == place(after, lid) && place(after, lid) != 0) {
        CHECK(carried.at(SwitchId(s), lid) == paths.levels().at(*old_switch, lid));
        ++kept;
      } else {
        CHECK(carried.at(SwitchId(s), lid) == no_service_level);
        ++dropped;
      }
    }
  }
  CHECK(kept != 0);
  CHECK(dropped != 0);

  // An entry without a route gets no level.
  ForwardingTables holes = full_tables(before);
  holes.set(SwitchId(2), before.lids()[5], no_port);
  CHECK(paths.carried_over(before, holes).at(SwitchId(2), before.lids()[5]) == no_service_level);
}

TEST_CASE("changes_since() counts only entries that have a service level before and after") {
  const Fabric fabric = make_fabric("torus 4x4");
  const PathLevels first(fabric, random_levels(fabric, 3), false);
  const PathLevels second(fabric, random_levels(fabric, 4), false);
  PathLevels::Changes expected;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (const Lid lid : fabric.lids()) {
      const ServiceLevel a = first.levels().at(SwitchId(s), lid);
      const ServiceLevel b = second.levels().at(SwitchId(s), lid);
      if (a == no_service_level || b == no_service_level) continue;
      ++expected.common;
      if (a != b) ++expected.changed;
    }
  }
  const PathLevels::Changes found = second.changes_since(first);
  CHECK(found.common == expected.common);
  CHECK(found.changed == expected.changed);
  CHECK(first.changes_since(first).changed == 0);
}
