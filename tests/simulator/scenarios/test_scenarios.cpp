#include <catch2/catch.hpp>
#include <set>

#include "base/error.h"
#include "base/file_io.h"
#include "congestion/profiles.h"
#include "evaluator/patterns/flow.h"
#include "simulator/report/flow_ports.h"
#include "simulator/scenarios/parameter_change.h"
#include "simulator/scenarios/reference.h"
#include "simulator/scenarios/registry.h"
#include "simulator/traffic/traffic_file.h"
#include "tests/source_folder.h"

using namespace pssp;
using namespace pssp::test;

namespace {

std::filesystem::path scenario_file(const Scenario& scenario, const char* ending) {
  return source_folder() / "simulator" / "scenarios" / (std::string(scenario.name) + ending);
}

TrafficFile traffic_of(const Scenario& scenario, const Fabric& fabric) {
  const std::filesystem::path file = scenario_file(scenario, ".traffic");
  return parse_traffic(read_file(file), file.string(), fabric, 1);
}

}  // namespace

TEST_CASE("each scenario has traffic and matching reference figures") {
  for (const Scenario& scenario : scenario_registry()) {
    INFO(scenario.name);
    const ScenarioFabric made = make_scenario_fabric(scenario);
    const TrafficFile file = traffic_of(scenario, made.fabric);
    if (scenario.name.starts_with("thesis-")) {
      CHECK(file.traffic.packet_bytes == 2176);
      CHECK(file.traffic.warmup == 0);
    }
    const auto figures = parse_reference(read_file(scenario_file(scenario, ".reference")), "r");
    CHECK_FALSE(figures.empty());
    std::set<std::string> senders;
    for (const StaticFlow& flow : file.traffic.flows) {
      senders.insert(made.fabric.end_port(made.fabric.endpoints()[flow.hosts.source]).name);
    }
    for (const ReferenceFigure& figure : figures) {
      if (figure.quantity == "share") CHECK(senders.contains(figure.row));
      if (figure.from && figure.to) CHECK(*figure.to <= file.traffic.duration);
    }
  }
  CHECK_THROWS_WITH(find_scenario("thesis-e"), Catch::Contains("expected one of thesis-a"));
}

TEST_CASE("scenarios C1, C3 and D have the senders, destinations and victims of the thesis") {
  const Scenario& c1 = find_scenario("thesis-c1");
  const ScenarioFabric made = make_scenario_fabric(c1);
  CHECK(traffic_of(c1, made.fabric).traffic.uniform.at(0).senders.size() == 44);
  const Traffic d = traffic_of(find_scenario("thesis-d"), made.fabric).traffic;
  CHECK(d.uniform.at(0).senders.size() == 31);
  CHECK(d.flows.size() == 18);
  CHECK(std::ranges::count(d.flows, true, &StaticFlow::victim) == 3);
  CHECK(traffic_of(find_scenario("thesis-c3"), made.fabric)
            .traffic.uniform.at(0)
            .destinations.size() == 25);
}

TEST_CASE(
    "scenario routes follow the row first, and their ports have the expected names and rates") {
  const ScenarioFabric made = make_scenario_fabric(find_scenario("thesis-b2"));
  Model model;
  model.host_rate = LinkRate{4, 2000};
  model.link_rate = LinkRate{4, 8000};
  const PortDirectory ports(made.fabric, model);
  const auto rank = [&](const std::string& name) {
    for (std::uint32_t i = 0; i < made.fabric.endpoints().size(); ++i) {
      if (made.fabric.end_port(made.fabric.endpoints()[i]).name == name) return i;
    }
    FAIL(name);
    return 0U;
  };
  const auto route = ports.route(made.tables, {rank("H111"), rank("H552")});
  REQUIRE(route.size() == 10);
  CHECK(ports.name(route[0]) == "H111 -> SW11[1]");
  CHECK(ports.name(route[1]) == "SW11[4] -> SW12[3]");
  CHECK(ports.name(route.back()) == "SW55[2] -> H552");
  CHECK(ports.rate(route[0]) == Approx(1e9));
  CHECK(ports.rate(route[1]) == Approx(4e9));
}

TEST_CASE("parameters can be changed by their names in papers or in files") {
  const CongestionParameters start = load_congestion_parameters("thesis-start");
  using Changes = std::vector<std::pair<std::string, std::string>>;
  const CongestionParameters changed =
      with_changes(start, Changes{{"CCTI_Timer", "250us"}, {"switch.marking_rate", "10"}});
  CHECK(changed.adapters.sl[0].ccti_timer == 244);
  CHECK(changed.adapters.sl[15].ccti_timer == 244);
  CHECK(changed.switches.marking_rate == 10);
  CHECK(changed.table == start.table);
  CHECK(with_changes(start, Changes{{"table.flows", "8"}}).table.entries.back() !=
        start.table.entries.back());
  CHECK(with_changes(start, {}) == start);
  CHECK_THROWS_WITH(with_changes(start, Changes{{"CCTI_Timer", "1s"}}),
                    Catch::Contains("CCTI_Timer=1s"));
  CHECK_THROWS_AS(with_changes(start, Changes{{"Colour", "red"}}), Error);
}

TEST_CASE("a malformed table of reference figures is refused with the line number") {
  const std::string head = "quantity,row,column,marking,from,to,value,unit,least,most,source\n";
  CHECK_THROWS_WITH(parse_reference("a,b\n", "f"), Catch::Contains("f:1"));
  CHECK_THROWS_WITH(parse_reference(head + "share,a\n", "f"), Catch::Contains("f:2: 2 fields"));
  CHECK_THROWS_WITH(parse_reference(head + "share,a,off,any,,,x,u,,,s\n", "f"),
                    Catch::Contains("'x' is not a number"));
  CHECK(parse_reference(head + "share,a,off,any,,,1,u,.9,,\"s, t\"\n", "f").at(0).source == "s, t");
}
