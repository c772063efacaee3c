#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "monitor/notify/notification.h"
#include "tests/monitor/notify/incidents.h"

namespace pssp {
namespace {

using Json = nlohmann::json;

TEST_CASE("the body names both ends, the finding and the page of the incident") {
  const Notification made = opened(test::faulty_cable("a-3"), "https://monitor", 5);
  CHECK(made.incident == "a-3");
  CHECK_FALSE(made.is_cleared);
  CHECK(Json::parse(made.body) ==
        Json{{"text", "leaf 1 port 3 - spine 2 port 7: symbol errors (SymbolErrorCounter)"},
             {"status", "opened"},
             {"id", "a-3"},
             {"kind", "errors"},
             {"since", 1'700'000'000'000},
             {"time", 5},
             {"url", "https://monitor/#/incident/a-3"},
             {"level", "bad"},
             {"what", "symbol_errors"},
             {"measured", "70 in 1 h, a bit error rate of 2e-12, limit 1e-12"},
             {"advice", "reseat the cable, then swap it"},
             {"ends",
              {{{"guid", "0x0000000000000010"}, {"port", 3}, {"name", "leaf 1"}},
               {{"guid", "0x0000000000000020"}, {"port", 7}, {"name", "spine 2"}}}},
             {"jobs", {"4711", "4712"}}});
}

TEST_CASE("a node has one end without a port, and without a page URL there is no link") {
  FabricFault fault = test::faulty_cable("a");
  fault.kind = FaultKind::not_responding;
  fault.end.key.number = 0;
  fault.peer.reset();
  const Json body = Json::parse(opened(fault, "", 5).body);
  CHECK(body["text"] == "leaf 1: not responding");
  CHECK(body["ends"].size() == 1);
  CHECK_FALSE(body.contains("url"));
}

TEST_CASE("the notification of an unreachable fabric has no ends") {
  FabricFault fault = test::faulty_cable("unreachable");
  fault.kind = FaultKind::unreachable;
  fault.end = {{}, "the fabric"};
  fault.peer.reset();
  const Json body = Json::parse(opened(fault, "", 5).body);
  CHECK(body["text"] == "the monitor reaches no switch of the fabric");
  CHECK(body["ends"] == Json::array());
}

TEST_CASE("the notification of congestion has the summary of its group") {
  CongestionGroup group;
  group.id = "congestion-10";
  group.summary = "job 4711 saturates 2 links to leaf 1 (3 hosts waiting)";
  group.target = {{0x10, 0}, "leaf 1"};
  group.job = "4711";
  group.waiting_hosts = 3;
  const Json body = Json::parse(opened(group, "", 5).body);
  CHECK(body["text"] == "congestion: " + group.summary);
  CHECK(body["kind"] == "congestion");
  CHECK(body["level"] == "watch");
  CHECK(body["waiting_hosts"] == 3);
  CHECK(body["jobs"] == Json{"4711"});
}

TEST_CASE(
    "the notification of a cleared incident repeats the opening one, unless that is damaged") {
  const Notification begun = opened(test::faulty_cable("a-3"), "", 5);
  const Notification over = cleared("a-3", begun.body, 9);
  CHECK(over.is_cleared);
  Json expected = Json::parse(begun.body);
  expected["text"] = "cleared: leaf 1 port 3 - spine 2 port 7: symbol errors (SymbolErrorCounter)";
  expected["status"] = "cleared";
  expected["time"] = 9;
  CHECK(Json::parse(over.body) == expected);
  for (const char* damaged : {"", "{", "{}", "[]", "7", R"({"text": 7})"}) {
    const Json body = Json::parse(cleared("a-3", damaged, 9).body);
    CHECK(body["id"] == "a-3");
    CHECK(body["status"] == "cleared");
  }
}

TEST_CASE("a name that is not UTF-8 still gives a valid body") {
  const Json body = Json::parse(opened(test::faulty_cable("a", "\xff\"\n"), "", 5).body);
  CHECK(body["ends"][0]["name"] == "\uFFFD\"\n");
}

}  // namespace
}  // namespace pssp
