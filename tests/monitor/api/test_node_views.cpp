#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <nlohmann/json.hpp>

#include "monitor/api/views.h"
#include "tests/monitor/synthetic_fabric.h"

using namespace pssp;

namespace {

using Json = nlohmann::json;

/// Twelve leaves with three hosts each. The first adapter is unfit, the second has fitness watch,
/// and port 0 has a verdict.
struct Nodes {
  SyntheticFabric fabric{"xgft 3,12 1,2"};
  LiveState live;

  Nodes() {
    LiveFacts facts;
    std::vector<NodeFit> fits;
    for (const MapNode& node : fabric.map().nodes) {
      if (node.kind == NodeKind::switch_node) continue;
      NodeFit& fit = fits.emplace_back();
      fit.name = node.description;
      fit.ports = {{node.guid, 1}};
      fit.level = fits.size() == 1 ? Level::bad : fits.size() == 2 ? Level::watch : Level::good;
    }
    facts.fit = std::make_shared<const FitList>(std::move(fits));
    facts.verdicts.push_back({0, VerdictLevel::bad, "symbol_errors", "7 in 1 h", 5, 7.0, 1.0});
    for (int i = 0; i < 2; ++i) live.publish(fabric.sweep(), facts);
  }
  Json list(const std::string& query) const {
    return Json::parse(nodes_view(*live.view(), Target("/api/v1/nodes?" + query)));
  }
};

std::vector<std::string> values(const Json& list, const std::string& member) {
  std::vector<std::string> all;
  for (const Json& node : list["nodes"]) all.push_back(node[member]);
  return all;
}

}  // namespace

TEST_CASE("nodes are filtered by verdict, fitness and name") {
  const Nodes nodes;
  CHECK(nodes.list("verdict=bad")["total"] == 1);
  CHECK(nodes.list("fit=no")["total"] == 1);
  CHECK(nodes.list("fit=watch&kind=hca")["total"] == 1);
  CHECK(nodes.list("fit=yes&kind=switch")["total"] == 0);
  CHECK(nodes.list("name=LEAF%201&kind=switch")["total"] == 4);  // leaves 1, 10, 11, 12
  CHECK_THROWS_AS(nodes.list("verdict=ill"), ApiError);
}

TEST_CASE("the order of nodes continues across the pages of a list") {
  const Nodes nodes;
  const std::vector<std::string> leaves =
      values(nodes.list("sort=name&kind=switch&name=leaf"), "name");
  REQUIRE(leaves.size() == 12);
  CHECK(leaves[1] == "leaf 2");
  CHECK(leaves.back() == "leaf 12");
  for (const std::string key :
       {"name", "kind", "lid", "active_ports", "transmit", "receive", "verdict", "fit", "guid"}) {
    const Json all = nodes.list("limit=1000&sort=" + key);
    Json joined = Json::array();
    std::string after = "0";
    for (;;) {
      const Json part = nodes.list("limit=7&sort=" + key + "&after=" + after);
      for (const Json& node : part["nodes"]) joined.push_back(node);
      if (!part.contains("next")) break;
      after = part["next"];
    }
    INFO(key);
    CHECK(joined == all["nodes"]);
    CHECK(values(nodes.list("limit=1&sort=" + key + "&order=asc"), "guid") !=
          values(nodes.list("limit=1&sort=" + key + "&order=desc"), "guid"));
  }
  const std::vector<Json> busy = nodes.list("sort=transmit&limit=1000")["nodes"];
  CHECK(std::ranges::is_sorted(busy, std::ranges::greater(), [](const Json& node) {
    return node["rates"]["transmit_bytes"].get<double>();
  }));
  CHECK(nodes.list("sort=verdict&limit=1")["nodes"][0]["verdict"] == "bad");
  // Switches have no fitness, so they come last in both orders.
  CHECK(nodes.list("sort=fit&limit=1")["nodes"][0]["fit"] == "no");
  CHECK(nodes.list("sort=fit&order=asc&limit=1")["nodes"][0]["fit"] == "yes");
}
