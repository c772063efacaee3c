// Compares the optimized least-loaded trees with a plain implementation of the same rule.

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <limits>
#include <string>
#include <vector>

#include "base/random.h"
#include "fabric/builder.h"
#include "fabric/paths/hop_distances.h"
#include "fabric/paths/up_down_distances.h"
#include "fabric/paths/up_down_order.h"
#include "routing/engines/parts/trees/least_loaded_trees.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

/// P-SSSP, destination by destination and entry by entry.
class PlainTrees {
 public:
  explicit PlainTrees(const Fabric& fabric)
      : tables(fabric.switch_count(), fabric.max_lid()),
        load(fabric.channel_count(), 0),
        fabric_(fabric) {}

  template <class Distances>
  void route(const std::vector<DestinationGroup>& groups, Distances& distances) {
    for (const DestinationGroup& group : groups) {
      distances.search(group.at);
      for (const Lid lid : group.lids) route(lid, distances);
    }
  }

  double shared_pairs() const {
    double pairs = 0;
    for (const double l : load) pairs += l * l;
    return pairs;
  }

  ForwardingTables tables;
  std::vector<double> load;

 private:
  template <class Distances>
  void route(Lid lid, const Distances& distances) {
    const auto order = distances.order();
    lean(lid, 1.0 / 1024);
    std::vector<double> cost(fabric_.switch_count(), std::numeric_limits<double>::infinity());
    std::vector<std::uint32_t> out(fabric_.switch_count());
    cost[order.front()] = 0;
    for (const std::uint32_t s : order.subspan(1)) {
      for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
        const double path = cost[fabric_.channel_head()[c]] + load[c];
        if (!distances.is_next_hop(s, c) || path >= cost[s]) continue;
        cost[s] = path;
        out[s] = c;
      }
      tables.set(SwitchId(s), lid, fabric_.channel_out_port()[out[s]]);
    }
    lean(lid, -1.0 / 1024);
    std::vector<std::uint32_t> endpoints(fabric_.endpoints_per_switch().begin(),
                                         fabric_.endpoints_per_switch().end());
    for (std::size_t i = order.size() - 1; i > 0; --i) {
      const std::uint32_t s = order[i];
      load[out[s]] += endpoints[s] * fabric_.channel_cost()[out[s]];
      endpoints[fabric_.channel_head()[out[s]]] += endpoints[s];
    }
    tables.set(fabric_.delivery(lid).at, lid, fabric_.delivery(lid).port);
  }

  void lean(Lid lid, double weight) {
    const auto same_owner = [&](Lid other) {
      const LidOwner a = fabric_.owner(lid), b = fabric_.owner(other);
      return a.kind == b.kind && a.index == b.index;
    };
    for (Lid before = static_cast<Lid>(lid - 1); same_owner(before); --before) {
      for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
        const PortTarget behind = fabric_.behind(SwitchId(s), tables.at(SwitchId(s), before));
        if (behind.kind == PortTarget::Kind::channel) load[behind.index] += weight;
      }
    }
  }

  const Fabric& fabric_;
};

template <class Distances>
ForwardingTables route_plainly(const Fabric& fabric, OrderChoice choice, Distances distances) {
  const std::vector<SwitchId> switches = switches_by_proximity(fabric);
  std::array<PlainTrees, 2> trees{PlainTrees(fabric), PlainTrees(fabric)};
  const std::array orders{destinations_by_switch(fabric, switches),
                          destinations_round_robin(fabric, switches)};
  for (unsigned k = 0; k < 2; ++k) trees[k].route(orders[k].endpoints, distances);
  const bool both = choice == OrderChoice::best && is_direct_network(fabric);
  const unsigned taken = choice == OrderChoice::round_robin ||
                                 (both && trees[1].shared_pairs() < trees[0].shared_pairs())
                             ? 1
                             : 0;
  trees[taken].route(orders[taken].others, distances);
  return trees[taken].tables;
}

/// Switches with different numbers of ports, parallel links, several islands, link rates whose
/// ratios are not all powers of two, hosts at some switches only, routers, and gaps between LIDs.
Fabric random_fabric(std::uint64_t seed) {
  MersenneRandom random(seed);
  FabricBuilder builder;
  const std::array<LinkRate, 4> rates{{{4, 8000}, {4, 16000}, {1, 8000}, {4, 13640}}};
  const std::uint64_t kinds = 1 + random.below(rates.size());
  const auto switches = static_cast<unsigned>(2 + random.below(12));
  std::vector<NodeId> nodes;
  std::vector<unsigned> ports(switches, 0);
  for (unsigned s = 0; s < switches; ++s) nodes.push_back(builder.add_switch(1 + s, 120, "", ""));
  for (unsigned links = switches + static_cast<unsigned>(random.below(40)); links > 0; --links) {
    const std::uint64_t a = random.below(switches), b = random.below(switches);
    if (a == b) continue;
    for (std::uint64_t k = random.below(4); k < 3; ++k) {
      builder.connect(nodes[a], static_cast<PortNumber>(++ports[a]), nodes[b],
                      static_cast<PortNumber>(++ports[b]), rates[random.below(kinds)]);
    }
  }
  unsigned lid = 1;
  const auto lmc = static_cast<unsigned>(random.below(3));
  for (unsigned s = 0; s < switches; ++s) {
    if (random.below(4) != 0) builder.set_lid(nodes[s], 0, lid++, 0);
    for (std::uint64_t h = random.below(3) == 0 ? 0 : random.below(8); h > 0; --h) {
      const auto kind = random.below(9) == 0 ? EndPortKind::router : EndPortKind::channel_adapter;
      const NodeId host = builder.add_adapter(0x1000 + 0x100 * s + h, 1, kind, "", "");
      lid = (lid + (2U << lmc) - 1) >> lmc << lmc;
      if (ports[s] < 110 && random.below(12) != 0) {
        builder.connect(nodes[s], static_cast<PortNumber>(++ports[s]), host, 1, rates[0]);
      }
      builder.set_lid(host, 1, lid, lmc);
      lid += 1U << lmc;
    }
  }
  if (!builder.has_lids()) builder.set_lid(nodes[0], 0, lid, 0);
  return std::move(builder).build();
}

constexpr std::array choices{OrderChoice::best, OrderChoice::by_switch, OrderChoice::round_robin};

void check_all(const Fabric& fabric) {
  const std::vector<SwitchId> switches = switches_by_proximity(fabric);
  const UpDownOrder up_down = OrderGrower(fabric, 1).grow(0, Growth::near_first);
  for (const OrderChoice choice : choices) {
    const HopDistances hops(fabric);
    const ForwardingTables expected = route_plainly(fabric, choice, hops);
    // The trees cache the paths of all switches, of none, and of some.
    for (const std::size_t bytes :
         {ShortestTrees<HopDistances>::default_bytes, std::size_t{0}, std::size_t{600}}) {
      ShortestTrees trees(fabric, hops, bytes);
      CHECK(route_by_trees(fabric, switches, choice, trees, trees) == expected);
    }
    const UpDownDistances legal(fabric, up_down);
    ShortestTrees legal_trees(fabric, legal);
    CHECK(route_by_trees(fabric, switches, choice, legal_trees, legal_trees) ==
          route_plainly(fabric, choice, legal));
  }
}

}  // namespace

TEST_CASE("optimized trees equal those of the plain rule on random fabrics", "[pssp][updown]") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    check_all(random_fabric(seed));
  }
}

TEST_CASE("optimized trees equal those of the plain rule on damaged and regular fabrics",
          "[pssp][updown]") {
  for (const char* spec :
       {"xgft 4,4,4 1,3,3", "xgft 6,5,4 1,3,3 --kill-links 9 --lmc 2",
        "k-ary-n-tree 3 3 --kill-switches 2 --allow-islands", "director 288 --hosts 40",
        "torus 3x3 --parallel 2 --hosts 2 --lmc 1", "random-regular 16 --degree 9 --hosts 3",
        "mesh 3x3 --hosts 2 --kill-links 5 --allow-islands"}) {
    INFO(spec);
    check_all(make_fabric(spec));
  }
}

TEST_CASE("loads that leave no room for marks are handled without marks", "[pssp]") {
  for (const char* spec : {"xgft 4,4,4 1,3,3 --kill-links 5", "torus 3x3 --hosts 2 --lmc 1"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const DestinationOrder order = destinations_round_robin(fabric, switches_by_proximity(fabric));
    HopDistances hops(fabric);
    PlainTrees plain(fabric);
    plain.route(order.endpoints, hops);
    for (const double limit : {0.0, 1000.0, TreeLoads::default_limit}) {
      TreeRouter router(fabric, limit);
      ShortestTrees trees(fabric, hops);
      router.route(order.endpoints, trees, {});
      CHECK(router.tables() == plain.tables);
      CHECK(router.shared_pairs() == plain.shared_pairs());
    }
  }
}

TEST_CASE("loads are marked only if all costs are multiples of a step", "[pssp]") {
  for (const std::uint32_t rate : {8000U, 16000U, 13640U}) {
    FabricBuilder builder;
    const NodeId a = builder.add_switch(1, 4, "a", "");
    const NodeId b = builder.add_switch(2, 4, "b", "");
    const NodeId host = builder.add_adapter(16, 1, EndPortKind::channel_adapter, "", "");
    builder.connect(a, 1, b, 1, {4, rate});
    builder.connect(a, 2, b, 2, {4, rate});
    builder.connect(a, 3, host, 1, {4, 8000});
    builder.assign_lids();
    const Fabric fabric = std::move(builder).build();
    TreeLoads loads(fabric);
    CHECK(loads.are_marked() == (rate != 13640));
    CHECK(loads.count_routes() == (rate == 8000));
    CHECK(loads.shared_pairs() == 0);
    loads.make_room(TreeLoads::default_limit);
    CHECK_FALSE(loads.are_marked());
    CHECK(loads.values()[1] == 0);
  }
}
