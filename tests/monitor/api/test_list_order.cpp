#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "monitor/api/list_order.h"
#include "tests/monitor/synthetic_fabric.h"

using namespace pssp;

namespace {

std::vector<std::uint32_t> sorted(const std::string& query, std::size_t wanted = 9) {
  const std::vector<double> weights{3, -1, 7, 3, 0};
  std::vector<std::uint32_t> indices{0, 1, 2, 3, 4};
  const ListOrder order(Target("/api/v1/list?" + query), {"size", "name"}, {"name"});
  order.sort(indices, wanted, [&](std::uint32_t i) { return weights[i]; });
  return indices;
}

}  // namespace

TEST_CASE("a list is sorted by the requested key, in its default order or the requested one") {
  CHECK(sorted("") == std::vector<std::uint32_t>{2, 0, 3, 4, 1});
  CHECK(sorted("sort=size&order=desc") == sorted(""));
  CHECK(sorted("sort=name") == std::vector<std::uint32_t>{4, 0, 3, 2, 1});
  CHECK(sorted("order=asc") == sorted("sort=name"));
  CHECK(sorted("sort=name&order=desc") == sorted(""));
  CHECK(sorted("", 1).front() == 2);
  CHECK_THROWS_AS(sorted("sort=weight"), ApiError);
  CHECK_THROWS_AS(sorted("order=up"), ApiError);
}

TEST_CASE("names with numbers sort numerically, and equal names by GUID") {
  SyntheticFabric fabric("xgft 4,2 1,2");
  std::vector<MapNode>& nodes = fabric.map().nodes;
  REQUIRE(nodes.size() > 4);
  const std::vector<std::string> names{"leaf 10", "leaf 2", "leaf 02 b", "leaf 2"};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].description = i < names.size() ? names[i] : "z";
  }
  LiveState live;
  live.publish(fabric.sweep(), {});
  const std::vector<std::uint32_t> ranks = name_ranks(*live.view());
  CHECK(ranks[1] == 0);
  CHECK(ranks[3] == 1);
  CHECK(ranks[2] == 2);
  CHECK(ranks[0] == 3);
}

TEST_CASE("a filter ignores the case of letters") {
  CHECK(contains_text("Leaf 7", "leaf"));
  CHECK(contains_text("leaf 7", "EAF 7"));
  CHECK(contains_text("leaf", ""));
  CHECK_FALSE(contains_text("leaf", "leaf 7"));
}
