#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "monitor/api/views.h"
#include "tests/monitor/synthetic_fabric.h"

using namespace pssp;

namespace {

using Json = nlohmann::json;

struct Ports {
  SyntheticFabric fabric{"xgft 3,12 1,2"};
  LiveState live;

  Ports() {
    LiveFacts facts;
    facts.verdicts.push_back({0, VerdictLevel::bad, "symbol_errors", "7 in 1 h", 5, 7.0, 1.0});
    for (int i = 0; i < 2; ++i) live.publish(fabric.sweep(), facts);
  }
  std::vector<Json> links(const std::string& query) const {
    return Json::parse(
        links_view(*live.view(), Target("/api/v1/links?limit=1000&" + query)))["links"];
  }
};

}  // namespace

TEST_CASE("links are sorted by the names of their ends, by rate and by verdict") {
  const Ports ports;
  const std::vector<Json> by_name = ports.links("sort=name&kind=switch");
  REQUIRE(by_name.size() == 48);
  CHECK(by_name[0]["name"] == "leaf 1");
  CHECK(by_name[1]["name"] == "leaf 1");
  CHECK(by_name[2]["name"] == "leaf 2");
  CHECK(by_name[0]["port"] < by_name[1]["port"]);
  CHECK(ports.links("sort=peer&kind=switch&order=desc").back()["peer"]["name"] == "leaf 1");
  std::vector<Json> reversed = ports.links("sort=name&kind=switch&order=desc");
  std::ranges::reverse(reversed);
  CHECK(reversed == by_name);
  CHECK(ports.links("sort=verdict").front()["verdict"] == "bad");
  CHECK(ports.links("sort=verdict&order=asc").front()["verdict"] == "good");
  CHECK(ports.links("sort=rate").size() == ports.links("").size());
}

TEST_CASE("links and ports are sorted by their counters in both orders") {
  const Ports ports;
  for (const std::string key : {"utilisation", "waiting_share", "bytes"}) {
    const std::string member = key == "bytes" ? "bytes_per_s" : key;
    const auto value = [&](const Json& link) { return link[member].get<double>(); };
    CHECK(std::ranges::is_sorted(ports.links("sort=" + key), std::ranges::greater(), value));
    CHECK(std::ranges::is_sorted(ports.links("order=asc&sort=" + key), std::ranges::less(), value));
  }
  const Json all = Json::parse(
      ports_view(*ports.live.view(), Target("/api/v1/ports?limit=1000&sort=transmit&order=asc")));
  CHECK(std::ranges::is_sorted(
      all["ports"].get<std::vector<Json>>(), std::ranges::less(),
      [](const Json& port) { return port["rates"]["transmit_bytes"].get<double>(); }));
}

TEST_CASE(
    "the waiting share of a port with a full counter is unknown, and status counts such ports") {
  Ports ports;
  std::shared_ptr<Snapshot> full = ports.fabric.next();
  const std::uint32_t port = ports.live.view()->channels[0];
  full->saturated[port] = mask_of(Counter::transmit_wait);
  ports.live.publish(full, {});
  const std::vector<Json> links = ports.links("");
  const auto unknown =
      std::ranges::find_if(links, [](const Json& link) { return link["waiting_share"].is_null(); });
  REQUIRE(unknown != links.end());
  CHECK((*unknown)["waiting_share_reason"] == "PortXmitWait is at its largest value");
  const Json status = Json::parse(status_view(*ports.live.view(), Target("/api/v1/status"), 0, 0));
  CHECK(status["summary"]["full_wait_counters"] == 1);
}
