// Tests that repaired_fabric() restores the cables of the plan.

#include <catch2/catch.hpp>
#include <string>

#include "fabric/formats/net_file_writer.h"
#include "fabric/formats/topology_file.h"
#include "operations/cabling/cabling_statements.h"
#include "operations/cabling/repaired_fabric.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

FabricBuilder builder_of(const std::string& text) {
  return parse_topology(text, "fabric.net").builder;
}

struct RepairedFabric {
  Cabling plan;
  Fabric fabric;

  RepairedFabric(const Fabric& planned, const FabricBuilder& damaged)
      : plan(cabling_of(planned)), fabric(repair(plan, damaged)) {}

  static Fabric repair(const Cabling& plan, const FabricBuilder& damaged) {
    const Cabling found = cabling_of(FabricBuilder(damaged).build());
    const CablingComparison before = compare_cabling(plan, found);
    REQUIRE_FALSE(before.statements.empty());
    return repaired_fabric(damaged, plan, found, before.matching);
  }
  std::vector<CablingStatement> left() const {
    return compare_cabling(plan, cabling_of(fabric)).statements;
  }
};

}  // namespace

TEST_CASE("applying the statements restores the cables of the plan") {
  const Fabric planned = make_fabric("k-ary-n-tree 4 2");
  const std::string text = to_net_file(planned);
  FabricBuilder damaged = builder_of(text);
  const NodeId leaf = *damaged.find_node(planned.switch_at(SwitchId(0)).guid);
  SECTION("missing cables") {
    damaged = builder_of(to_net_file(make_fabric("k-ary-n-tree 4 2 --kill-links 5 --seed 2")));
  }
  SECTION("exchanged cables") {
    const CableEnd first = *damaged.far_end(leaf, 1), second = *damaged.far_end(leaf, 2);
    damaged.disconnect(leaf, 1);
    damaged.disconnect(leaf, 2);
    damaged.connect(leaf, 1, second.node, second.port, first.rate);
    damaged.connect(leaf, 2, first.node, first.port, first.rate);
  }
  SECTION("slower links") {
    const CableEnd first = *damaged.far_end(leaf, 1);
    damaged.state_missing_rates({4, 25'000});
    const Fabric fast = FabricBuilder(damaged).build();
    damaged.set_rate(leaf, 1, {1, 25'000});
    damaged.set_rate(first.node, first.port, {1, 25'000});
    const RepairedFabric repaired(fast, damaged);
    CHECK(repaired.left().empty());
    return;
  }
  const RepairedFabric repaired(planned, damaged);
  CHECK(repaired.left().empty());
  CHECK(repaired.fabric.channel_count() == planned.channel_count());
  CHECK_FALSE(repaired.fabric.lids().empty());
}

TEST_CASE("a node that is not in the plan is removed from a port that the plan uses") {
  const Fabric planned = make_fabric("k-ary-n-tree 4 2");
  FabricBuilder damaged = builder_of(to_net_file(planned));
  // A new node takes the place of a link between two switches.
  const std::uint32_t tail = planned.channel_tail()[0];
  const NodeId at = *damaged.find_node(planned.switch_at(SwitchId(tail)).guid);
  const PortNumber port = planned.channel_out_port()[0];
  const NodeId other =
      damaged.add_adapter(0x77770000, 2, EndPortKind::channel_adapter, "", "new 1");
  damaged.disconnect(at, port);
  damaged.connect(at, port, other, 1, {});
  const RepairedFabric repaired(planned, damaged);
  CHECK(repaired.left().empty());
  CHECK(repaired.fabric.channel_count() == planned.channel_count());
}

TEST_CASE("a node that is not in the plan keeps a cable at a port that the plan leaves free") {
  const Fabric planned = make_fabric("k-ary-n-tree 4 2 --kill-links 1 --seed 3");
  const Fabric whole = make_fabric("k-ary-n-tree 4 2");
  FabricBuilder damaged = builder_of(to_net_file(planned));
  std::uint32_t free = 0;
  while (
      planned.behind(SwitchId(whole.channel_tail()[free]), whole.channel_out_port()[free]).kind ==
      PortTarget::Kind::channel) {
    ++free;
  }
  const NodeId at = *damaged.find_node(whole.switch_at(SwitchId(whole.channel_tail()[free])).guid);
  const NodeId other =
      damaged.add_adapter(0x77770000, 2, EndPortKind::channel_adapter, "", "new 1");
  damaged.connect(at, whole.channel_out_port()[free], other, 1, {});
  const RepairedFabric repaired(planned, damaged);
  REQUIRE(repaired.left().size() == 1);
  CHECK(repaired.left().front().fault == CablingFault::unknown_node);
}
