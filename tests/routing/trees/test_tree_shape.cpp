#include <catch2/catch.hpp>
#include <string>

#include "routing/trees/tree_shape.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

std::string described(const std::string& spec) {
  const Fabric fabric = make_fabric(spec);
  return describe_tree(fabric, infer_links(fabric));
}

}  // namespace

TEST_CASE("a tree is described by its levels, leaves and top switches") {
  CHECK(described("xgft 24,20 1,16") ==
        "a tree of 2 levels: 20 leaves of 24 hosts, 16 tops of 20 cables");
  CHECK(described("xgft 8,8,8 1,4,4 --permute-ports --shuffle-guids") ==
        "a tree of 3 levels: 64 leaves of 8 hosts, 16 tops of 8 cables");
}

TEST_CASE("the description states that leaves or top switches differ") {
  CHECK_THAT(described("xgft 24,20 1,16 --uneven-hosts 8"), Catch::Contains(" to 24 hosts"));
  CHECK_THAT(described("xgft 24,20 1,16 --half-spines 4"),
             Catch::Contains("16 tops of 10 to 20 cables"));
}

TEST_CASE("the description counts hosts above the leaves, and their switches are not leaves") {
  CHECK(described("xgft 24,20 1,16 --upper-hosts 1") ==
        "a tree of 2 levels: 20 leaves of 23 to 24 hosts, 16 tops of 20 cables; 1 host above the "
        "leaves");
  CHECK_THAT(described("k-ary-n-tree 4 3 --upper-hosts 3 --permute-ports --seed 2"),
             Catch::StartsWith("a tree of 3 levels: 16 leaves of ") &&
                 Catch::Contains(", 16 tops of 4 cables; 3 hosts above the leaves"));
}

TEST_CASE("the description of joined trees counts the trees and the cables that join them") {
  CHECK(described("joined-trees --leafs 16,6 --hosts 18 --spines 8 --cables 12") ==
        "2 trees of 16 and 6 leaves, joined by 12 cables");
  CHECK(described("joined-trees --leafs 4,6,5 --hosts 4 --spines 4 --cables 4 --permute-ports") ==
        "3 trees of 6, 5 and 4 leaves, joined by 8 cables");
}

TEST_CASE("the description counts the missing links") {
  CHECK_THAT(described("chic --kill-links 3"), Catch::EndsWith("; 3 links missing"));
  CHECK_THAT(described("xgft 8,8,8 1,4,4 --kill-links 1"), Catch::EndsWith("; 1 link missing"));
}
