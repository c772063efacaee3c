#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "evaluator/flows/flow_paths.h"
#include "evaluator/flows/link_loads.h"
#include "fabric/builder.h"
#include "routing/engines/engine.h"
#include "tests/operations/diagnosis/diagnosed_fabric.h"
#include "topologies/registry.h"

using namespace pssp;
using namespace pssp::test;

namespace {

/// A tree whose hosts are nodes with two rails: "nodeK mlx5_R".
Fabric two_rails() {
  FabricBuilder builder = make_topology("k-ary-n-tree 4 2 --lids");
  Fabric plain = std::move(builder).build();
  FabricBuilder named;
  std::vector<NodeId> switches;
  for (const Switch& each : plain.switches()) {
    switches.push_back(named.add_switch(each.guid, each.ports, each.name, each.description));
  }
  for (std::uint32_t c = 0; c < plain.channel_count(); ++c) {
    named.connect(switches[plain.channel_tail()[c]], plain.channel_out_port()[c],
                  switches[plain.channel_head()[c]], plain.channel_in_port()[c], LinkRate{});
  }
  // The rails of a node are at different leaves.
  const auto ends = plain.end_ports();
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const std::size_t half = ends.size() / 2;
    const NodeId host =
        named.add_adapter(ends[i].node_guid, 1, EndPortKind::channel_adapter, ends[i].name,
                          "node" + std::to_string(i % half) + " mlx5_" + std::to_string(i / half));
    named.connect(host, 1, switches[ends[i].attached.value()], ends[i].switch_port, LinkRate{});
  }
  named.assign_lids();
  return std::move(named).build();
}

/// Checks with code that the planner does not use: no link carries two flows, and no host sends or
/// receives twice.
void check_disjoint(const Fabric& fabric, const std::vector<Flow>& flows) {
  const RouteStore routes(fabric, make_engine("pssp", {})->route(fabric).tables);
  FlowPaths paths(routes);
  paths.collect(flows);
  LinkLoads loads(routes, HostLinks::counted);
  loads.add(paths);
  for (const auto list : {loads.channels(), loads.sent(), loads.received()}) {
    CHECK(std::all_of(list.begin(), list.end(), [](std::uint32_t load) { return load <= 1; }));
  }
}

}  // namespace

TEST_CASE(
    "almost no two consecutive cables are crossed by the same flows in all rounds of a plan") {
  // Regular tables route the flows of a host to many destinations over the same two channels.
  const auto made = diagnosed_fabric("chic", "pssp");
  const RoundPlan plan = plan_rounds(*made->alternatives, made->units, {.rounds = 3});
  std::map<std::uint32_t, std::set<std::pair<std::size_t, std::uint32_t>>> flows_over;
  std::set<std::pair<std::uint32_t, std::uint32_t>> in_a_row;
  for (std::size_t round = 0; round < plan.rounds.size(); ++round) {
    for (const UnitPair& pair : plan.rounds[round]) {
      for (const Flow flow : flows_of(made->units, pair, RoundShape::one_direction)) {
        std::vector<std::uint32_t> path;  // each cable as the smaller index of its two channels
        made->alternatives->each_channel(flow, [&](std::uint32_t channel) {
          path.push_back(std::min(channel, made->fabric.channel_reverse()[channel]));
          return true;
        });
        for (const std::uint32_t cable : path) flows_over[cable].emplace(round, pair.from);
        for (std::size_t i = 1; i < path.size(); ++i) in_a_row.emplace(path[i - 1], path[i]);
      }
    }
  }
  const auto alike = std::ranges::count_if(in_a_row, [&](const auto& cables) {
    return flows_over[cables.first] == flows_over[cables.second];
  });
  INFO(alike << " of " << in_a_row.size() << " pairs of cables in a row");
  CHECK(alike <= 5);
}

TEST_CASE("no two flows of a planned round share a link") {
  for (const char* spec : {"k-ary-n-tree 4 2", "xgft 4,3 1,2", "mesh 3x3", "chic"}) {
    INFO(spec);
    const auto made = diagnosed_fabric(spec, "pssp");
    const RoundPlan plan = plan_rounds(*made->alternatives, made->units, {.rounds = 3});
    REQUIRE(plan.rounds.size() == 3);
    for (std::size_t round = 0; round < 3; ++round) {
      std::vector<Flow> flows;
      for (const UnitPair pair : plan.rounds[round]) {
        for (const Flow flow : flows_of(made->units, pair, RoundShape::one_direction)) {
          flows.push_back(flow);
        }
      }
      CHECK(flows.size() + plan.left_out[round] == made->units.size());
      CHECK(flows.size() >= made->units.size() * 2 / 3);
      check_disjoint(made->fabric, flows);
    }
    CHECK(plan.rounds == plan_rounds(*made->alternatives, made->units, {.rounds = 3}).rounds);
  }
}

TEST_CASE("nodes with several rails are paired in both directions and on all rails") {
  const auto made = diagnosed_fabric(two_rails(), "pssp");
  REQUIRE(made->nodes->nodes().size() == 8);
  std::vector<std::uint32_t> all{0, 1, 2, 3, 4, 5, 6, 7};
  const std::vector<MeasuredUnit> units = made->nodes->units(all, true);
  const RoundPlan plan = plan_rounds(*made->alternatives, units,
                                     {.rounds = 4, .shape = RoundShape::both_ways, .seed = 2});
  for (const auto& round : plan.rounds) {
    std::vector<Flow> flows;
    std::set<std::uint32_t> seen;
    for (const UnitPair pair : round) {
      CHECK(seen.insert(pair.from).second);
      CHECK(seen.insert(pair.to).second);
      const std::vector<Flow> more = flows_of(units, pair, RoundShape::both_ways);
      CHECK(more.size() == 4);
      flows.insert(flows.end(), more.begin(), more.end());
    }
    CHECK_FALSE(round.empty());
    check_disjoint(made->fabric, flows);
  }
}

TEST_CASE("a plan reports the channels that no flow can cross") {
  const auto made = diagnosed_fabric("k-ary-n-tree 4 2", "pssp");
  // The hosts of one leaf: their flows cross no channel between switches.
  std::vector<std::uint32_t> some;
  const EndPort& first = made->fabric.end_port(made->fabric.endpoints()[0]);
  for (std::uint32_t n = 0; n < made->nodes->nodes().size(); ++n) {
    const EndPortId port = made->nodes->nodes()[n].rails[0].port;
    if (made->fabric.end_port(port).attached == first.attached) some.push_back(n);
  }
  const std::vector<MeasuredUnit> units = made->nodes->units(some, false);
  const RoundPlan plan = plan_rounds(*made->alternatives, units, {.rounds = 1});
  CHECK(plan.coverage.without_flow == plan.coverage.channels);
  CHECK(plan.coverage.uncovered == 0);
  const RoundPlan all = plan_rounds(*made->alternatives, made->units, {.rounds = 8});
  CHECK(all.coverage.without_flow == 0);
  CHECK(all.coverage.uncovered == 0);
}
