#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "monitor/jobs/node_names.h"

using namespace pssp;

namespace {

FabricMap map_of(const std::vector<std::string>& descriptions) {
  FabricMap map;
  for (const std::string& each : descriptions) {
    MapNode node;
    node.guid = map.nodes.size() + 1;
    node.description = each;
    map.nodes.push_back(node);
  }
  return map;
}

std::vector<std::uint32_t> found(const NodeNames& names, const char* name) {
  const auto nodes = names.find(name);
  return {nodes.begin(), nodes.end()};
}

using Nodes = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("a scheduler's node matches all adapters whose description begins with its name") {
  FabricMap map = map_of({"selene-login-02 HCA-2", "N7 mlx5_0", "n7.cluster.example mlx5_1",
                          "n70 HCA-1", "", " \t", "n7", "\x1b[0m n7"});
  map.nodes[6].kind = NodeKind::switch_node;
  const NodeNames names(map);
  CHECK(found(names, "selene-login-02") == Nodes{0});
  CHECK(found(names, "n7") == Nodes{1, 2});
  CHECK(found(names, "N7.other.domain") == Nodes{1, 2});
  CHECK(found(names, "n70") == Nodes{3});
  CHECK(found(names, "n").empty());
  CHECK(found(names, "").empty());
}

TEST_CASE("a rule selects the part of a description that is the node name") {
  const FabricMap map = map_of(
      {"HCA-1 on n1", "HCA-2 on N1.x", "HCA-1 on n2", "switch", std::string("on n3\0\0", 7)});
  const NodeNames names(map, NodeNameRule("on ([^ ]+)$"));
  CHECK(found(names, "n1") == Nodes{0, 1});
  CHECK(found(names, "n2") == Nodes{2});
  CHECK(found(names, "n3") == Nodes{4});
  CHECK(found(names, "switch").empty());
  CHECK_THROWS_AS(NodeNameRule("("), Error);
  CHECK_THROWS_AS(NodeNameRule("on .*"), Error);
  CHECK_THROWS_AS(NodeNameRule("(a)(b)(c)"), Error);
}

TEST_CASE("nodes of a job without an adapter are reported as not found") {
  const FabricMap map = map_of({"n1 HCA-1", "n1 HCA-2", "n2 HCA-1"});
  Job job;
  job.nodes = {"n2", "n3", "n1", "N1"};
  const JobLocation place = place_of(job, NodeNames(map));
  CHECK(place.nodes == Nodes{0, 1, 2});
  CHECK(place.not_found == std::vector<std::string>{"n3"});
}
