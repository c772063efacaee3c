#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "evaluator/paths/path.h"
#include "fabric/tables/channel_loads.h"
#include "tests/evaluator/sample_fabrics.h"
#include "tools/eval_lft/json/report_json.h"

namespace {

using namespace pssp;
using namespace pssp::test;

PathEnd end_of_rank(const Fabric& fabric, std::uint32_t rank) {
  const EndPortId id = fabric.endpoints()[rank];
  return {{LidOwner::Kind::end_port, id.value()}, fabric.end_port(id).lid};
}

}  // namespace

TEST_CASE("the JSON report of a path lists its links from source to destination") {
  const auto [fabric, tables] = cluster_2008_figure_1(true);
  const std::vector<std::uint64_t> loads = channel_loads(fabric, tables);
  // Host 1 sends to host 5 over cable 5 mod 4 = 1, which has half the rate.
  const Path path = path_of(fabric, tables, end_of_rank(fabric, 0), end_of_rank(fabric, 4));
  const auto json = to_json(fabric, path, loads);
  CHECK(json["outcome"] == "arrives");
  CHECK(json["hops"] == 2);
  CHECK(json["largest_index"] == 24);
  REQUIRE(json["links"].size() == 4);
  CHECK(json["links"][0]["from"] == json["source"]["name"]);
  CHECK(json["links"][3]["to"] == json["destination"]["name"]);
  CHECK(json["links"][1]["routes"] == 12);
  CHECK(json["links"][1]["index"] == 24);
  CHECK(json["links"][1]["rate_mbits"] == 8000);
  CHECK_FALSE(json["links"][0].contains("routes"));
  for (std::size_t i = 1; i < 4; ++i) CHECK(json["links"][i]["from"] == json["links"][i - 1]["to"]);
}
