#include <catch2/catch.hpp>
#include <string>

#include "base/error.h"
#include "fabric/tables/channel_loads.h"
#include "routing/engines/engine.h"
#include "routing/engines/parts/counts/route_contention.h"
#include "routing/engines/parts/counts/structured_counts.h"
#include "routing/verify/verify.h"
#include "tests/fabric/tables/route_walk.h"
#include "tests/routing/engines/unlike_links.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

constexpr const char* specs[] = {"k-ary-n-tree 4 2",
                                 "xgft 4,4 1,2",
                                 "mesh 4x4 --hosts 2",
                                 "torus 3x4x3",
                                 "torus 4x4 --hosts 2 --lmc 2",
                                 "torus 3x3 --parallel 2 --hosts 2",
                                 "hypercube 4 --hosts 2",
                                 "random-regular 16 --degree 4 --hosts 3",
                                 "dragonfly --switches 3 --global-links 1 --hosts 1",
                                 "mesh 5x5 --hosts 2 --kill-links 6",
                                 "mesh 3x3 --hosts 2 --kill-links 5 --allow-islands",
                                 "k-ary-n-tree 3 3 --kill-switches 2 --allow-islands"};

ForwardingTables route(const Fabric& fabric, const char* engine, std::string_view options = "") {
  return make_engine(engine, EngineOptions::parse(options))->route(fabric).tables;
}

/// Largest excess of a route over the minimal hop count, between hosts. The minimal hop counts are
/// those of pssp, which test_pssp.cpp compares with another library.
std::size_t largest_extra_hops(const Fabric& fabric, const ForwardingTables& tables) {
  const ForwardingTables shortest = route(fabric, "pssp");
  std::size_t extra_hops = 0;
  for (const Lid lid : fabric.lids()) {
    if (!fabric.is_endpoint_lid(lid)) continue;
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      if (fabric.endpoints_per_switch()[s] == 0) continue;
      const auto least = test::walk(fabric, shortest, SwitchId(s), lid);
      if (!least) continue;
      const auto path = test::walk(fabric, tables, SwitchId(s), lid);
      REQUIRE(path.has_value());
      extra_hops = std::max(extra_hops, path->size() - least->size());
    }
  }
  return extra_hops;
}

}  // namespace

TEST_CASE("cassp connects all reachable pairs by minimal paths", "[cassp]") {
  for (const char* spec : specs) {
    const Fabric fabric = make_fabric(spec);
    for (const char* options : {"", "start=pssp", "start=p2ssp noisy_passes=3", "passes=0"}) {
      INFO(spec << " " << options);
      const ForwardingTables tables = route(fabric, "cassp", options);
      CHECK(verify(fabric, tables).usable());
      CHECK(largest_extra_hops(fabric, tables) == 0);
    }
  }
}

TEST_CASE("cassp respects the bound on extra hops", "[cassp]") {
  for (const char* spec : specs) {
    const Fabric fabric = make_fabric(spec);
    for (const std::size_t bound : {1, 3}) {
      INFO(spec << ", bound " << bound);
      const std::string options = "noisy_passes=4 max_extra_hops=" + std::to_string(bound);
      const ForwardingTables tables = route(fabric, "cassp", options);
      CHECK(verify(fabric, tables).usable());
      CHECK(largest_extra_hops(fabric, tables) <= bound);
    }
  }
}

TEST_CASE("cassp uses extra hops if they help", "[cassp]") {
  // A ring of four switches with hosts at two neighbors: all routes can share one link, or use the
  // long way round as well.
  FabricBuilder builder;
  std::vector<NodeId> ring;
  for (unsigned s = 0; s < 4; ++s) ring.push_back(builder.add_switch(1 + s, 8, "", ""));
  for (unsigned s = 0; s < 4; ++s) builder.connect(ring[s], 1, ring[(s + 1) % 4], 2, {});
  for (unsigned h = 0; h < 8; ++h) {
    const NodeId host = builder.add_adapter(0x100 + 2 * h, 1, EndPortKind::channel_adapter, "", "");
    builder.connect(ring[h / 4], static_cast<PortNumber>(3 + h % 4), host, 1, {});
  }
  builder.assign_lids();
  const Fabric fabric = std::move(builder).build();
  CHECK(edge_forwarding_index(fabric, channel_loads(fabric, route(fabric, "cassp"))) == 16);
  const ForwardingTables free = route(fabric, "cassp", "max_extra_hops=2");
  CHECK(edge_forwarding_index(fabric, channel_loads(fabric, free)) == 8);
}

TEST_CASE("cassp has no more contention than its start", "[cassp]") {
  for (const char* spec : specs) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const double before = contending_pairs(fabric, route(fabric, "pssp"));
    CHECK(contending_pairs(fabric, route(fabric, "cassp")) <= before);
  }
  for (const char* spec : {"chic --kill-links 20", "deimos", "torus 6x6x4", "mesh 5x5 --hosts 2"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const double before = contending_pairs(fabric, route(fabric, "pssp"));
    CHECK(contending_pairs(fabric, route(fabric, "cassp", "noisy_passes=4")) < 0.9 * before);
  }
}

TEST_CASE("cassp has no more contention than meshdor on meshes, and refuses start=meshdor on trees",
          "[cassp]") {
  for (const char* spec : {"mesh 4x4x4 --hosts 2", "hypercube 6 --hosts 2", "torus 5x5"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const double dimension_order = contending_pairs(fabric, route(fabric, "meshdor"));
    CHECK(contending_pairs(fabric, route(fabric, "cassp")) <= dimension_order);
  }
  const Fabric tree = make_fabric("k-ary-n-tree 4 2");
  CHECK_THROWS_AS(route(tree, "cassp", "start=meshdor"), Error);
}

TEST_CASE("additional LIDs do not change cassp's routes to base LIDs", "[cassp]") {
  const char* const options = "start=pssp noisy_passes=0";
  const Fabric one = make_fabric("k-ary-n-tree 4 2 --kill-links 5");
  const Fabric four = make_fabric("k-ary-n-tree 4 2 --kill-links 5 --lmc 2");
  const ForwardingTables single = route(one, "cassp", options);
  const ForwardingTables multiple = route(four, "cassp", options);
  for (const EndPort& port : one.end_ports()) {
    const EndPort& same = four.end_port(*four.find_end_port(port.port_guid));
    for (std::uint32_t s = 0; s < one.switch_count(); ++s) {
      CHECK(single.at(SwitchId(s), port.lid) == multiple.at(SwitchId(s), same.lid));
    }
  }
}

TEST_CASE("the seed determines the tables of cassp", "[cassp]") {
  const Fabric fabric = make_fabric("random-regular 16 --degree 4 --hosts 3");
  const ForwardingTables first = route(fabric, "cassp", "seed=1");
  CHECK(route(fabric, "cassp", "seed=1") == first);
  CHECK(route(fabric, "cassp", "seed=2") != first);
}

TEST_CASE("cassp sends half as many routes over a link of half the capacity", "[cassp]") {
  const Fabric fabric = test::two_unlike_links();
  const std::vector<std::uint64_t> loads = channel_loads(fabric, route(fabric, "cassp"));
  CHECK(loads[0] == 2 * loads[1]);
}

TEST_CASE("cassp also routes fabrics without traffic", "[cassp]") {
  const Fabric one_switch = make_fabric("mesh 1 --hosts 3");
  CHECK(verify(one_switch, route(one_switch, "cassp")).usable());
  FabricBuilder builder;
  builder.add_switch(1, 4, "alone", "");
  builder.assign_lids();
  const Fabric alone = std::move(builder).build();
  CHECK(route(alone, "cassp").at(SwitchId(0), 1) == management_port);
  CHECK_THROWS_AS(route(FabricBuilder().build(), "cassp"), Error);
}

TEST_CASE("cassp also reduces contention of structured traffic with non-minimal paths", "[cassp]") {
  const Fabric fabric = make_fabric("random-regular 16 --degree 4 --hosts 3");
  constexpr StructuredWeights weights{0.3, 0.1};
  const auto all_pairs = [&](const char* options) {
    const ForwardingTables tables = route(fabric, "cassp", options);
    CHECK(verify(fabric, tables).usable());
    CHECK(largest_extra_hops(fabric, tables) <= 1);
    return contending_pairs(fabric, tables) + structured_pairs(fabric, tables, weights);
  };
  const double alone = all_pairs("max_extra_hops=1");
  const double shortest = all_pairs("structured_weight=300 leaf_weight=100");
  const double both = all_pairs("structured_weight=300 leaf_weight=100 max_extra_hops=1");
  CHECK(both < 0.95 * alone);
  CHECK(both < 0.97 * shortest);
}

TEST_CASE("structured weights lower the pairs that they weight, and 0 changes nothing", "[cassp]") {
  const Fabric fabric = make_fabric("k-ary-n-tree 4 2 --kill-links 3");
  const ForwardingTables plain = route(fabric, "cassp");
  CHECK(route(fabric, "cassp", "structured_weight=0 leaf_weight=0") == plain);
  for (const char* options : {"structured_weight=300", "leaf_weight=300"}) {
    const StructuredWeights weights =
        options[0] == 's' ? StructuredWeights{0.3, 0} : StructuredWeights{0, 0.3};
    const ForwardingTables tables = route(fabric, "cassp", options);
    INFO(options);
    CHECK(verify(fabric, tables).usable());
    CHECK(structured_pairs(fabric, tables, weights) < structured_pairs(fabric, plain, weights));
  }
  CHECK_THROWS(route(fabric, "cassp", "structured_weight=10001"));
  CHECK(verify(fabric, route(fabric, "cassp", "start=rr")).usable());
}
