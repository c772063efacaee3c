#include <catch2/catch.hpp>
#include <string>

#include "fabric/paths/distance_matrix.h"
#include "fabric/tables/channel_loads.h"
#include "routing/engines/engine.h"
#include "routing/engines/parts/local_search/efi_reduction.h"
#include "routing/verify/verify.h"
#include "tests/fabric/tables/route_walk.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

ForwardingTables route(const Fabric& fabric, const char* engine, std::string_view options = "") {
  return make_engine(engine, EngineOptions::parse(options))->route(fabric).tables;
}

double index_of(const Fabric& fabric, const ForwardingTables& tables) {
  return edge_forwarding_index(fabric, channel_loads(fabric, tables));
}

bool hop_minimal(const Fabric& fabric, const ForwardingTables& tables) {
  const DistanceMatrix distances(fabric);
  for (const Lid lid : fabric.lids()) {
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      const std::uint16_t distance = distances.to(fabric.delivery(lid).at)[s];
      if (distance == DistanceMatrix::unreachable) continue;
      const auto path = test::walk(fabric, tables, SwitchId(s), lid);
      if (!path || path->size() != distance) return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("p2ssp connects all reachable pairs by minimal paths", "[p2ssp]") {
  for (const char* spec :
       {"k-ary-n-tree 4 2", "xgft 4,4 1,2", "mesh 4x4 --hosts 2", "torus 3x4x3",
        "torus 4x4 --hosts 2 --lmc 2", "torus 3x3 --parallel 2 --hosts 2", "hypercube 4 --hosts 2",
        "random-regular 16 --degree 4 --hosts 3",
        "dragonfly --switches 3 --global-links 1 --hosts 1", "mesh 5x5 --hosts 2 --kill-links 6",
        "mesh 3x3 --hosts 2 --kill-links 5 --allow-islands",
        "k-ary-n-tree 3 3 --kill-switches 2 --allow-islands"}) {
    const Fabric fabric = make_fabric(spec);
    for (const char* options : {"", "start=diagonal", "start=scattered", "start=pssp rip_up=0",
                                "start=diagonal rip_up=0"}) {
      INFO(spec << " " << options);
      const ForwardingTables tables = route(fabric, "p2ssp", options);
      CHECK(verify(fabric, tables).usable());
      CHECK(hop_minimal(fabric, tables));
    }
  }
}

// The slides claim that a shortest-path search for each route gives a lower index than a search for
// each destination.
TEST_CASE("p2ssp has a lower edge forwarding index than pssp on various fabrics", "[p2ssp]") {
  for (const char* spec : {"deimos", "chic --kill-links 20 --seed 1",
                           "chic --kill-links 20 --seed 2", "mesh 4x4x4 --hosts 2", "torus 6x6x4",
                           "hypercube 6 --hosts 2", "random-regular 64 --degree 8 --hosts 8"}) {
    const Fabric fabric = make_fabric(spec);
    INFO(spec);
    CHECK(index_of(fabric, route(fabric, "p2ssp")) < index_of(fabric, route(fabric, "pssp")));
  }
}

TEST_CASE("p2ssp never has a higher edge forwarding index than pssp", "[p2ssp]") {
  for (const char* spec : {"chic", "odin", "k-ary-n-tree 4 3", "xgft 8,8 1,4", "mesh 5x5 --hosts 2",
                           "dragonfly --switches 4 --global-links 2 --hosts 2"}) {
    const Fabric fabric = make_fabric(spec);
    INFO(spec);
    CHECK(index_of(fabric, route(fabric, "p2ssp")) <= index_of(fabric, route(fabric, "pssp")));
  }
}

TEST_CASE("reduce_efi() lowers the EFI, keeps routes minimal and counts its moves", "[p2ssp]") {
  const Fabric fabric = make_fabric("torus 6x6x4");
  const AllowedChannels paths(fabric);
  ForwardingTables tables = route(fabric, "pssp");
  const ForwardingTables before = tables;
  const EfiReduction reduction = reduce_efi(fabric, paths, tables, 1'000'000);
  CHECK(reduction.moves > 0);
  CHECK_FALSE(reduction.is_optimal);
  CHECK(index_of(fabric, tables) < index_of(fabric, before));
  // Half of the traffic crosses the middle of a ring of six: 144 * 144 / 2 routes over 96 channels,
  // so no routing has an index below 108.
  CHECK(index_of(fabric, tables) >= 108);
  CHECK(hop_minimal(fabric, tables));
  CHECK(verify(fabric, tables).usable());

  ForwardingTables untouched = before;
  CHECK(reduce_efi(fabric, paths, untouched, 0).moves == 0);
  CHECK(untouched == before);
}

TEST_CASE("reduce_efi() recognizes an EFI that no other path can lower", "[p2ssp]") {
  // The middle link of a chain carries all routes between its sides.
  const Fabric fabric = make_fabric("mesh 4 --hosts 2");
  ForwardingTables tables = route(fabric, "pssp");
  const EfiReduction reduction = reduce_efi(fabric, AllowedChannels(fabric), tables, 1000);
  CHECK(reduction.is_optimal);
  CHECK(reduction.moves == 0);
  CHECK(index_of(fabric, tables) == 4 * 4);
}
