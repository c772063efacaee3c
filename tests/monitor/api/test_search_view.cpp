#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "monitor/api/search_view.h"
#include "tests/monitor/synthetic_fabric.h"

using namespace pssp;

namespace {

using Json = nlohmann::json;

Json found(const LiveView& view, const std::string& query) {
  JsonWriter json;
  json.begin_object();
  write_found(json, view, search_request(Target("/api/v1/search?" + query)));
  return Json::parse(json.end_object().take());
}

}  // namespace

TEST_CASE("a search finds nodes by name, GUID and LID, and ports by name and number") {
  SyntheticFabric fabric("xgft 4,2 1,2");
  LiveState live;
  live.publish(fabric.sweep(), {});
  const LiveView& view = *live.view();
  const MapNode& first = view.map().nodes.front();
  const std::string& name = view.names->front();
  const Json by_name = found(view, "q=LEAF%201");
  REQUIRE_FALSE(by_name["nodes"].empty());
  CHECK(by_name["nodes"][0]["name"] == "leaf 1");
  CHECK(found(view, fmt::format("q=0x{:016x}", first.guid))["nodes"].size() == 1);
  const Lid lid = view.map().ports[first.first_port].lid;
  CHECK(found(view, fmt::format("q={}", lid))["nodes"][0]["name"] == name);
  CHECK(found(view, "q=leaf&limit=1")["nodes"].size() == 1);
  for (const std::string port : {"leaf%201%20port%202", "leaf%201[2]", "leaf%201%202"}) {
    const Json ports = found(view, "q=" + port)["ports"];
    REQUIRE_FALSE(ports.empty());
    CHECK(ports[0]["name"] == "leaf 1");
    CHECK(ports[0]["port"] == 2);
    CHECK(ports[0].contains("peer"));
  }
  CHECK(found(view, "q=leaf%201%20port%20200")["ports"].empty());
  CHECK(found(view, "q=nobody")["nodes"].empty());
  CHECK_THROWS_AS(found(view, "q=%20"), ApiError);
  CHECK_THROWS_AS(found(view, "limit=5"), ApiError);
}
