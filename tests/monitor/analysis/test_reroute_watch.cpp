// Detection of completed reroutes from successive readings of the forwarding tables.

#include <catch2/catch.hpp>

#include "monitor/analysis/reroute_watch.h"
#include "tests/monitor/synthetic_fabric.h"

using namespace pssp;

namespace {

/// Tables of a synthetic fabric; their entries are arbitrary.
struct Readings {
  Readings() : map(std::make_shared<FabricMap>(synthetic_map("k-ary-n-tree 3 2"))) {
    map->hash = 1;
    entries.resize(map->nodes.size());
    for (std::size_t n = 0; n < entries.size(); ++n) {
      if (map->nodes[n].kind == NodeKind::switch_node) entries[n].assign(128, 1);
    }
  }
  LiveTablesPointer at(std::int64_t time_ms) const {
    auto tables = std::make_shared<LiveTables>();
    tables->map = map;
    tables->time_ms = time_ms;
    tables->by_node = entries;
    for (const auto& each : entries) tables->switches += each.empty() ? 0U : 1U;
    return tables;
  }
  std::vector<PortNumber>& switch_entries(unsigned number) {
    for (auto& each : entries) {
      if (!each.empty() && number-- == 0) return each;
    }
    throw std::out_of_range("no such switch");
  }
  /// The same nodes with another cabling, discovered at that time.
  void recable(std::int64_t time_ms) {
    map = std::make_shared<FabricMap>(*map);
    ++map->hash;
    map->time_ms = time_ms;
  }

  std::shared_ptr<FabricMap> map;
  std::vector<std::vector<PortNumber>> entries;
};

}  // namespace

TEST_CASE("reroute watch: a change is complete after two readings without a difference") {
  Readings readings;
  RerouteWatch watch;
  CHECK_FALSE(watch.add(readings.at(1000)));
  CHECK_FALSE(watch.add(readings.at(2000)));
  readings.switch_entries(0)[5] = 2;
  readings.switch_entries(1)[70] = 2;
  CHECK_FALSE(watch.add(readings.at(3000)));
  readings.switch_entries(1)[71] = 2;
  CHECK_FALSE(watch.add(readings.at(4000)));
  CHECK_FALSE(watch.add(readings.at(5000)));
  const std::optional<SeenReroute> seen = watch.add(readings.at(6000));
  REQUIRE(seen.has_value());
  CHECK(seen->before->time_ms == 2000);
  CHECK(seen->after->time_ms == 6000);
  REQUIRE(seen->changes.size() == 3);
  CHECK(seen->changes[2].entries() == 1);
  CHECK(seen->changes[2].block == 1);
  const RerouteRecord record = record_of(*seen, impact_of(*seen));
  CHECK(record.begin_ms == 2000);
  CHECK(record.end_ms == 4000);
  CHECK(record.entries >= 1);
  CHECK(record.switches >= 1);
  CHECK_FALSE(sentence_of(record).empty());
  CHECK_FALSE(watch.add(readings.at(7000)));
}

TEST_CASE("reroute watch: the record has every count of the impact in its own field") {
  RerouteImpact impact;
  impact.entries = 1;
  impact.blocks = 2;
  impact.switches = 3;
  RouteChanges& routes = impact.routes.emplace();
  routes.flows.all.flows = 278'256;
  routes.flows.moved.flows = 4;
  routes.flows.longer.flows = 5;
  routes.flows.lost.flows = 6;
  routes.flows.gained.flows = 7;
  impact.states.no_route.flows = 8;
  impact.states.no_route.longest_ns = 9'000'000;
  impact.states.loop.flows = 10;
  impact.states.loop.longest_ns = 11'000'000;
  const RerouteRecord record = record_of({nullptr, nullptr, {}, 12'000'000}, impact);
  CHECK(record.begin_ms == 12);
  CHECK(record.end_ms == 12);
  CHECK(record.entries == 1);
  CHECK(record.blocks == 2);
  CHECK(record.switches == 3);
  CHECK(record.flows == 278'256);
  CHECK(record.moved == 4);
  CHECK(record.longer == 5);
  CHECK(record.lost == 6);
  CHECK(record.gained == 7);
  CHECK(record.no_route == 8);
  CHECK(record.no_route_ms == 9);
  CHECK(record.loop == 10);
  CHECK(record.loop_ms == 11);
  CHECK(
      sentence_of(record) ==
      "routes changed: 1 table entries in 2 blocks of 3 switches; of 278,256 host pairs, 4 use "
      "another path and 6 lost their path; 8 had no path for at most 9 ms (between readings of the "
      "tables); 10 were in a loop for a while");
}

TEST_CASE("the sentence on a reroute states whether jobs lost paths") {
  RerouteRecord record;
  record.no_route = 8;
  record.no_route_ms = 1300;
  record.jobs = {{"1", 240, 18, 0, 0}, {"2", 56, 4, 4, 0}};
  CHECK_THAT(sentence_of(record),
             Catch::Contains("no path for at most 1.3 s") &&
                 Catch::EndsWith("; 2 jobs use other paths, none lacks a path now"));
  record.jobs[1].lost = 1;
  CHECK_THAT(sentence_of(record),
             Catch::EndsWith("; 2 jobs affected, 1 of them without a path now"));
}

TEST_CASE("reroute watch: a reroute begins when the cabling changes, even if tables follow late") {
  Readings readings;
  RerouteWatch watch;
  CHECK_FALSE(watch.add(readings.at(1000)));
  readings.recable(1500);
  for (std::int64_t time = 2000; time <= 9000; time += 1000) {
    CHECK_FALSE(watch.add(readings.at(time)));
  }
  readings.switch_entries(0)[5] = 2;
  CHECK_FALSE(watch.add(readings.at(10'000)));
  CHECK_FALSE(watch.add(readings.at(11'000)));
  const std::optional<SeenReroute> seen = watch.add(readings.at(12'000));
  REQUIRE(seen.has_value());
  CHECK(seen->before->time_ms == 1000);
  CHECK(seen->begin_ns == 1'500'000'000);
}

TEST_CASE("reroute watch: another cabling without other tables is not a reroute") {
  Readings readings;
  RerouteWatch watch;
  CHECK_FALSE(watch.add(readings.at(1000)));
  readings.recable(1500);
  for (std::int64_t time = 2000; time <= 70'000; time += 2000) {
    CHECK_FALSE(watch.add(readings.at(time)));
  }
  // A later reroute is compared with the tables on the new cabling.
  readings.switch_entries(0)[5] = 2;
  for (const std::int64_t time : {80'000, 81'000}) CHECK_FALSE(watch.add(readings.at(time)));
  const std::optional<SeenReroute> seen = watch.add(readings.at(82'000));
  REQUIRE(seen.has_value());
  CHECK(seen->before->map->hash == 2);
  CHECK(seen->begin_ns == 70'000'000'000);
}

TEST_CASE("reroute watch: a reading in which no switch answered is ignored") {
  Readings readings;
  RerouteWatch watch;
  LiveTables silent = *readings.at(500);
  silent.unread_switches = silent.switches;
  CHECK_FALSE(watch.add(std::make_shared<LiveTables>(silent)));
  CHECK_FALSE(watch.add(readings.at(1000)));
  CHECK_FALSE(watch.add(std::make_shared<LiveTables>(silent)));
  CHECK_FALSE(watch.add(readings.at(2000)));
}
