// Comparison of a map with a cabling plan in a file: statements, affected ports, times and changes.

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "fabric/formats/net_file_writer.h"
#include "monitor/service/live_cabling.h"
#include "tests/monitor/synthetic_fabric.h"
#include "tests/temporary_folder.h"
#include "topologies/registry.h"

using namespace pssp;
using pssp::test::TemporaryFolder;

namespace {

constexpr const char* tree = "k-ary-n-tree 4 2";

struct Watched {
  TemporaryFolder folder;
  std::filesystem::path plan = folder.path() / "plan.net";
  std::uint64_t generation = 0;
  std::int64_t time_ms = 1000;

  Watched() { write(tree); }
  void write(const std::string& specification) {
    std::ofstream(plan) << to_net_file(make_fabric(specification));
    // Files written within one tick of the clock would have the same modification time.
    using namespace std::chrono_literals;
    static std::chrono::hours age = 0h;
    std::filesystem::last_write_time(plan, std::filesystem::file_time_type::clock::now() - ++age);
  }
  bool update(LiveCabling& cabling, const std::string& specification) {
    FabricMap map = synthetic_map(specification);
    map.generation = ++generation;
    return cabling.update(map, time_ms += 1000);
  }
};

std::uint64_t of_kind(const CablingView& view, std::string_view kind) {
  const auto found =
      std::ranges::find_if(view.kinds, [kind](const auto& each) { return each.first == kind; });
  REQUIRE(found != view.kinds.end());
  return found->second;
}

}  // namespace

TEST_CASE("without a plan, nothing is compared") {
  LiveCabling cabling("");
  CHECK_FALSE(cabling.update(synthetic_map(tree), 1));
  CHECK(cabling.view() == nullptr);
  CHECK_THROWS_AS(LiveCabling("/nonexistent/plan.net"), Error);
}

TEST_CASE("missing cables are reported once, at both ends, until they are in place") {
  Watched watched;
  LiveCabling cabling(watched.plan);
  REQUIRE(watched.update(cabling, tree));
  CHECK(cabling.view()->statements.empty());
  CHECK(cabling.view()->planned_cables == cabling.view()->cables_in_place);
  CHECK(cabling.view()->kinds.size() == cabling_fault_count);
  CHECK(cabling.take_events().empty());

  const std::string damaged = std::string(tree) + " --kill-links 2 --seed 3";
  REQUIRE(watched.update(cabling, damaged));
  const std::int64_t since = watched.time_ms;
  CHECK(of_kind(*cabling.view(), "missing") == 2);
  CHECK(of_kind(*cabling.view(), "extra") == 0);
  REQUIRE(cabling.view()->statements.size() == 2);
  CHECK(cabling.view()->statements[0].since_ms == since);
  CHECK(cabling.findings().size() == 4);
  const FabricMap map = synthetic_map(damaged);
  for (const PortFinding& each : cabling.findings()) {
    CHECK(each.level == Level::watch);
    CHECK(each.what == link_cabling);
    const auto port = map.find_port(each.port.node, each.port.number);
    REQUIRE(port);
    CHECK(map.ports[*port].peer == MapPort::no_peer);
  }
  const std::vector<MonitorEvent> came = cabling.take_events();
  REQUIRE(came.size() == 2);
  CHECK(came[0].kind == EventKind::cabling_wrong);
  CHECK(came[0].text.starts_with("missing: "));
  CHECK(came[0].node != 0);

  // The same map is not compared again, and a new map with the same faults causes no event.
  FabricMap same = map;
  same.generation = watched.generation;
  CHECK_FALSE(cabling.update(same, 1'000'000));
  REQUIRE(watched.update(cabling, damaged));
  CHECK(cabling.take_events().empty());
  CHECK(cabling.view()->statements[0].since_ms == since);

  REQUIRE(watched.update(cabling, tree));
  const std::vector<MonitorEvent> went = cabling.take_events();
  REQUIRE(went.size() == 2);
  CHECK(went[0].kind == EventKind::cabling_repaired);
  CHECK(went[0].text == came[0].text);
  CHECK(cabling.findings().empty());
}

TEST_CASE(
    "the plan is read again when it changes, and the old plan stays if the new one is invalid") {
  Watched watched;
  LiveCabling cabling(watched.plan);
  REQUIRE(watched.update(cabling, tree));
  FabricMap map = synthetic_map(tree);
  map.generation = watched.generation;
  watched.write(std::string(tree) + " --kill-links 1 --seed 3");
  REQUIRE(cabling.update(map, 5000));
  CHECK(of_kind(*cabling.view(), "extra") == 1);
  std::ofstream(watched.plan) << "nothing of the kind\n";
  REQUIRE(cabling.update(map, 6000));
  CHECK_FALSE(cabling.view()->problem.empty());
  CHECK(of_kind(*cabling.view(), "extra") == 1);
  watched.write(tree);
  REQUIRE(cabling.update(map, 7000));
  CHECK(cabling.view()->problem.empty());
  CHECK(cabling.view()->statements.empty());
  // A map without a Fabric cannot be compared, and the view gives the reason.
  map.fabric = nullptr;
  ++map.generation;
  REQUIRE(cabling.update(map, 8000));
  CHECK_FALSE(cabling.view()->problem.empty());
}

TEST_CASE("of many simultaneous statements, only the first ones have events") {
  Watched watched;
  watched.write("k-ary-n-tree 8 2");
  LiveCabling large(watched.plan);
  REQUIRE(watched.update(large, "k-ary-n-tree 8 2 --kill-links 30 --seed 1"));
  CHECK(large.view()->statements.size() == 30);
  const std::vector<MonitorEvent> events = large.take_events();
  REQUIRE(events.size() == 21);
  CHECK(events.back().text == "and 10 more, 30 in total");
}
