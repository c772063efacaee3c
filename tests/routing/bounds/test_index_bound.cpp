#include <catch2/catch.hpp>
#include <limits>
#include <string>
#include <vector>

#include "fabric/tables/channel_loads.h"
#include "routing/bounds/congestion_prices.h"
#include "routing/bounds/cuts.h"
#include "routing/bounds/index_bound.h"
#include "routing/engines/engine.h"
#include "tests/fabric/tables/random_tables.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

constexpr std::uint64_t plenty = 100'000'000;

double index_of(const Fabric& fabric, const ForwardingTables& tables) {
  return edge_forwarding_index(fabric, channel_loads(fabric, tables));
}

/// Largest ratio of routes to capacity over all cuts of a connected fabric.
double tightest_of_all_cuts(const Fabric& fabric) {
  double tightest = 0;
  for (std::uint32_t set = 1; set + 1 < 1U << fabric.switch_count(); ++set) {
    double sources = 0, lids = 0, capacity = 0;
    const auto is_inside = [set](std::uint32_t s) { return (set >> s & 1U) != 0; };
    for (const EndPortId e : fabric.endpoints()) {
      if (is_inside(fabric.end_port(e).attached.value())) {
        sources += 1;
      } else {
        lids += 1U << fabric.end_port(e).lmc;
      }
    }
    for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
      if (is_inside(fabric.channel_tail()[c]) && !is_inside(fabric.channel_head()[c]))
        capacity += 1 / fabric.channel_cost()[c];
    }
    tightest = std::max(tightest, sources * lids / capacity);
  }
  return tightest;
}

/// Two rings of three switches, connected by a slow link; the numbers of hosts differ.
Fabric dumbbell() {
  FabricBuilder builder;
  std::vector<NodeId> switches;
  for (unsigned s = 0; s < 6; ++s) {
    switches.push_back(builder.add_switch(1 + s, 12, "", ""));
    for (unsigned h = 0; h < 1 + s % 3; ++h) {
      const NodeId host =
          builder.add_adapter(0x100 + 0x10 * s + 2 * h, 1, EndPortKind::channel_adapter, "", "");
      builder.connect(switches[s], static_cast<PortNumber>(1 + h), host, 1, {4, 10000});
    }
  }
  for (const unsigned ring : {0U, 3U}) {
    for (unsigned s = 0; s < 3; ++s) {
      builder.connect(switches[ring + s], 5, switches[ring + (s + 1) % 3], 6, {4, 10000});
    }
  }
  builder.connect(switches[0], 7, switches[3], 7, {4, 5000});
  builder.assign_lids();
  return std::move(builder).build();
}

/// Finds the lowest index of all tables with loop-free paths by exhaustive search.
class AllTables {
 public:
  explicit AllTables(const Fabric& fabric)
      : fabric_(fabric), tables_(fabric.switch_count(), fabric.max_lid()) {
    for (const Lid lid : fabric.lids()) {
      if (!fabric.is_endpoint_lid(lid)) continue;
      for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
        if (SwitchId(s) == fabric.delivery(lid).at) {
          tables_.set(SwitchId(s), lid, fabric.delivery(lid).port);
        } else {
          entries_.push_back({s, lid});
        }
      }
    }
  }

  double lowest_index() {
    try_from(0);
    return lowest_;
  }

 private:
  struct Entry {
    std::uint32_t s;
    Lid lid;
  };

  void try_from(std::size_t entry) {
    if (entry == entries_.size()) {
      std::uint64_t reached = 0;
      const std::vector<std::uint64_t> loads = channel_loads(fabric_, tables_);
      for (const std::uint64_t load : loads) reached += load;
      if (reached >= fabric_.endpoints().size()) {
        bool complete = true;
        for (const Entry& each : entries_) complete = complete && arrives(each);
        if (complete) lowest_ = std::min(lowest_, edge_forwarding_index(fabric_, loads));
      }
      return;
    }
    const auto [s, lid] = entries_[entry];
    for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
      tables_.set(SwitchId(s), lid, fabric_.channel_out_port()[c]);
      try_from(entry + 1);
    }
  }

  bool arrives(const Entry& entry) const {
    std::uint32_t at = entry.s;
    for (std::size_t hops = 0; hops < fabric_.switch_count(); ++hops) {
      if (SwitchId(at) == fabric_.delivery(entry.lid).at) return true;
      at = fabric_.channel_head()[fabric_.behind(SwitchId(at), tables_.at(SwitchId(at), entry.lid))
                                      .index];
    }
    return false;
  }

  const Fabric& fabric_;
  ForwardingTables tables_;
  std::vector<Entry> entries_;
  double lowest_ = std::numeric_limits<double>::infinity();
};

}  // namespace

TEST_CASE("find_tight_cut finds the tightest cut of small fabrics", "[bounds]") {
  std::vector<Fabric> fabrics;
  for (const char* spec :
       {"mesh 3x4 --hosts 2", "torus 4x3", "k-ary-n-tree 2 3", "xgft 4,4 1,2",
        "full-mesh 5 --hosts 3", "mesh 13 --hosts 2", "torus 9 --lmc 1",
        "mesh 4x3 --hosts 2 --kill-links 4 --seed 2",
        "random-regular 12 --degree 3 --hosts 2 --seed 1",
        "random-regular 12 --degree 3 --hosts 2 --seed 2",
        "random-regular 14 --degree 4 --hosts 2 --seed 3",
        "leaf-director --leafs 4 --hosts 12 --directors 2 --uplinks 2 --kill-links 3"}) {
    fabrics.push_back(make_fabric(spec));
  }
  fabrics.push_back(dumbbell());
  for (std::size_t i = 0; i < fabrics.size(); ++i) {
    INFO("fabric " << i);
    if (fabrics[i].switch_count() > 14) continue;
    CHECK(find_tight_cut(fabrics[i], plenty).routes_per_channel >=
          tightest_of_all_cuts(fabrics[i]) * (1 - 1e-9));
  }
}

TEST_CASE("no tables have an edge forwarding index below the bound", "[bounds]") {
  for (const char* spec : {"mesh 3x4 --hosts 2", "k-ary-n-tree 2 3", "torus 4x4 --hosts 2 --lmc 2",
                           "odin", "random-regular 12 --degree 3 --hosts 2", "chic --kill-links 20",
                           "deimos", "mesh 3x3 --hosts 2 --kill-links 5 --allow-islands",
                           "k-ary-n-tree 3 3 --kill-switches 2 --allow-islands", "torus 6x6x4",
                           "dragonfly --switches 4 --global-links 2 --hosts 2"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const double bound = edge_forwarding_index_bound(fabric).value;
    for (const char* engine : {"pssp", "p2ssp"}) {
      CHECK(bound <= index_of(fabric, make_engine(engine, {})->route(fabric).tables));
    }
    CHECK(bound <= index_of(fabric, test::random_tree_tables(fabric, 1)));
  }
  const Fabric uneven = dumbbell();
  const double bound = edge_forwarding_index_bound(uneven).value;
  CHECK(bound <= index_of(uneven, make_engine("p2ssp", {})->route(uneven).tables) * (1 + 1e-9));
}

TEST_CASE("the bound of tiny fabrics is the edge forwarding index of their best tables",
          "[bounds]") {
  // A triangle, a square, a line of four switches, and a triangle with two hosts at each switch.
  for (const char* spec : {"torus 3", "torus 4", "mesh 4", "full-mesh 3 --hosts 2"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    CHECK(edge_forwarding_index_bound(fabric).value == AllTables(fabric).lowest_index());
  }
}

TEST_CASE("bounds of regular fabrics match the textbook formulas", "[bounds]") {
  struct Known {
    const char* spec;
    double index;
  };
  // Meshes, tori and hypercubes: the product of the numbers of hosts on both sides of the middle,
  // divided by the number of links across it. Trees with full bisection: the number of hosts
  // outside a leaf.
  for (const Known& each :
       {Known{"mesh 5x5 --hosts 2", 20.0 * 30 / 5}, Known{"mesh 4x4x4 --hosts 2", 64.0 * 64 / 16},
        Known{"torus 6x6x4", 72.0 * 72 / 48}, Known{"hypercube 6 --hosts 2", 64.0 * 64 / 32},
        Known{"k-ary-n-tree 4 2", 12}, Known{"full-mesh 8 --hosts 3", 9}, Known{"torus 5", 3},
        // 44 leaves with 12 hosts and 12 uplinks each.
        Known{"chic", 516}}) {
    INFO(each.spec);
    CHECK(edge_forwarding_index_bound(make_fabric(each.spec)).value == each.index);
  }
}

TEST_CASE("the bound is rounded up because a link carries whole LIDs", "[bounds]") {
  // Five hosts share two links to the other switch, so one link carries the routes to at least
  // three of their LIDs.
  FabricBuilder builder;
  const NodeId leaf = builder.add_switch(1, 20, "", "");
  const NodeId rest = builder.add_switch(2, 20, "", "");
  builder.connect(leaf, 1, rest, 1, {});
  builder.connect(leaf, 2, rest, 2, {});
  for (unsigned h = 0; h < 15; ++h) {
    const NodeId host = builder.add_adapter(0x100 + 2 * h, 1, EndPortKind::channel_adapter, "", "");
    builder.connect(h < 5 ? leaf : rest, static_cast<PortNumber>(3 + h), host, 1, {});
  }
  builder.assign_lids();
  const Fabric fabric = std::move(builder).build();
  CHECK(edge_forwarding_index_bound(fabric).value == 30);
  CHECK(index_of(fabric, make_engine("pssp", {})->route(fabric).tables) == 30);
}

TEST_CASE("price_bound without work uses equal prices: total hops divided by total capacity",
          "[bounds]") {
  // Ring of five switches with one host each: 10 channels, 20 routes, 30 hops. No prices give more.
  CHECK(price_bound(make_fabric("torus 5"), 0) == Approx(3));
  CHECK(price_bound(make_fabric("torus 5"), plenty) == Approx(3));
  // A line of three switches: 8 hops over 4 channels, and each channel carries two routes.
  CHECK(price_bound(make_fabric("mesh 3"), 0) == Approx(2));
  // A line of four switches: the middle channels carry 2 x 2 routes; equal prices give 20 / 6.
  CHECK(price_bound(make_fabric("mesh 4"), 0) == Approx(20.0 / 6));
  CHECK(price_bound(make_fabric("mesh 4"), plenty) == Approx(4).epsilon(0.02));
}

TEST_CASE("the bound is 0 for fabrics without routes between switches", "[bounds]") {
  CHECK(edge_forwarding_index_bound(make_fabric("mesh 1 --hosts 3")).value == 0);
  CHECK(edge_forwarding_index_bound(FabricBuilder().build()).value == 0);
  FabricBuilder builder;
  const NodeId a = builder.add_switch(1, 4, "", "");
  const NodeId b = builder.add_switch(2, 4, "", "");
  builder.connect(a, 1, b, 1, {});
  builder.assign_lids();
  const Fabric empty = std::move(builder).build();
  CHECK(edge_forwarding_index_bound(empty).value == 0);
  CHECK(edge_forwarding_index_bound(empty).cut.inside.empty());
}

TEST_CASE("the cut of the bound separates the two rings of a dumbbell", "[bounds]") {
  const Fabric fabric = dumbbell();
  const IndexBound bound = edge_forwarding_index_bound(fabric);
  CHECK(bound.cut.inside.size() == 3);
  CHECK(bound.value == Approx(6 * 6 / 0.5));
}
