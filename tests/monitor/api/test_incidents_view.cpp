#include <catch2/catch.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "monitor/api/incidents_view.h"
#include "tests/monitor/synthetic_fabric.h"

using namespace pssp;

namespace {

using Json = nlohmann::json;

constexpr std::size_t many_waiting = 142;

LiveViewPointer view_with_incidents() {
  auto list = std::make_shared<IncidentList>();
  FabricFault cable;
  cable.id = "0000000000000007-3";
  cable.kind = FaultKind::errors;
  cable.level = Level::bad;
  cable.end = {{7, 3}, "leaf 1"};
  cable.peer = IncidentPort{{9, 4}, "spine 1"};
  cable.since_ms = 5;
  cable.findings = {{cable.end, "symbol_errors", Level::bad, 5, 31, 10, "31 in 1 h, limit 10"}};
  cable.advice = "reseat the cable, then swap it";
  cable.jobs = {"4711"};
  FabricFault node;
  node.id = "0000000000000008";
  node.kind = FaultKind::not_responding;
  node.end = {{8, 0}, "leaf 2"};
  node.findings = {{{{8, 1}, "leaf 2"}, "readings", Level::unknown, 4, 0, 0, "no answer"}};
  list->faults = {cable, node};
  CongestionGroup group;
  group.id = "congestion-0000000000000007";
  group.summary = "job 4711 saturates 1 link to leaf 1 (142 hosts waiting)";
  group.target = {{7, 0}, "leaf 1"};
  group.job = "4711";
  group.job_share = 0.75;
  group.waiting_hosts = many_waiting;
  group.saturated = {{{9, 4}, "spine 1"}};
  const IncidentFinding waiting{{{20, 1}, "n1"}, "transmit_wait", Level::watch, 3, 0.62, 0.3,
                                "waited 62 %"};
  group.waiting.assign(many_waiting, waiting);
  list->congestion = {group};
  SyntheticFabric fabric("k-ary-n-tree 2 2");
  LiveState live;
  LiveFacts facts;
  facts.has_verdicts = true;
  facts.incidents = std::move(list);
  live.publish(fabric.sweep(), std::move(facts));
  return live.view();
}

}  // namespace

TEST_CASE("the list of incidents has faults with both ends, and groups with their first ports") {
  const LiveViewPointer view = view_with_incidents();
  const Json all = Json::parse(incidents_view(*view, Target("/api/v1/incidents"), {}));
  CHECK(all["total"] == 2);
  CHECK(all["faults_by_level"] == Json::parse(R"({"bad": 1, "watch": 1, "unknown": 0})"));
  const Json& cable = all["faults"][0];
  CHECK(cable["kind"] == "errors");
  CHECK(cable["level"] == "bad");
  CHECK(cable["end"] ==
        Json::parse(R"({"guid": "0x0000000000000007", "port": 3, "name": "leaf 1"})"));
  CHECK(cable["peer"]["port"] == 4);
  CHECK(cable["jobs"] == Json::array({"4711"}));
  CHECK(cable["findings"][0]["measured"] == "31 in 1 h, limit 10");
  CHECK(cable["findings"][0]["limit"] == 10);
  const Json& node = all["faults"][1];
  CHECK(node["end"]["port"] == nullptr);
  CHECK(node["peer"] == nullptr);
  CHECK(node["findings"][0]["value"] == nullptr);
  const Json& group = all["congestion"][0];
  CHECK(group["waiting_ports"] == many_waiting);
  CHECK(group["waiting"].size() == 20);
  CHECK(group["saturated"][0]["name"] == "spine 1");
  const Json second =
      Json::parse(incidents_view(*view, Target("/api/v1/incidents?limit=1&after=1"), {}));
  CHECK(second["faults"].size() == 1);
  CHECK(second["faults"][0]["id"] == "0000000000000008");
}

TEST_CASE("the view of one incident has all its ports") {
  const LiveViewPointer view = view_with_incidents();
  const Target target("/api/v1/incidents/x");
  const Json fault = Json::parse(incident_view(*view, target, {}, "0000000000000007-3"));
  CHECK(fault["item"]["advice"] == "reseat the cable, then swap it");
  const Json group = Json::parse(incident_view(*view, target, {}, "congestion-0000000000000007"));
  CHECK(group["item"]["waiting"].size() == many_waiting);
  CHECK_THROWS_AS(incident_view(*view, target, {}, "0000000000000007-4"), ApiError);
  CHECK_THROWS_AS(incidents_view(*view, Target("/api/v1/incidents?level=bad"), {}), ApiError);
}

TEST_CASE("an acknowledgement is shown until it ends, with control characters escaped") {
  const LiveViewPointer view = view_with_incidents();
  const std::string id = "0000000000000007-3";
  IncidentContext context;
  context.acknowledged = std::make_shared<const std::map<std::string, Acknowledgement>>(
      std::map<std::string, Acknowledgement>{{id, {id, "cable\x1b ordered", 1000, 5000}}});
  context.may_acknowledge = true;
  context.now_ms = 4999;
  const Target target("/api/v1/incidents");
  const Json now = Json::parse(incidents_view(*view, target, context));
  CHECK(now["may_acknowledge"] == true);
  CHECK(now["faults"][0]["acknowledged"]["comment"] == "cable\\u{1b} ordered");
  CHECK(now["faults"][0]["acknowledged"]["until"] == 5000);
  CHECK(now["faults"][1]["acknowledged"] == nullptr);
  context.now_ms = 5000;
  CHECK(Json::parse(incidents_view(*view, target, context))["faults"][0]["acknowledged"] ==
        nullptr);
}
