#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "routing/mesh/damaged_mesh.h"
#include "routing/mesh/mesh_recognition.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

std::string seeded(const std::string& spec, int seed) {
  return spec + " --permute-ports --shuffle-guids --seed " + std::to_string(seed);
}

/// True if both give the same coordinates to the same switches.
bool are_the_same(const MeshCoordinates& a, const MeshCoordinates& b) {
  return a.switches == b.switches && a.values == b.values && a.dimensions == b.dimensions;
}

/// Requires that each switch has a unique position, next to all switches that it is cabled to.
/// Returns the gaps.
MeshGaps gaps_of(const Fabric& fabric, const std::vector<MeshCoordinates>& meshes) {
  REQUIRE(meshes.size() == 1);
  std::set<std::vector<std::uint32_t>> positions;
  for (std::size_t i = 0; i < meshes[0].switches.size(); ++i) {
    const auto at = meshes[0].of(i);
    CHECK(positions.emplace(at.begin(), at.end()).second);
  }
  return require_damaged_mesh(fabric, meshes[0], "test");
}

}  // namespace

TEST_CASE("a mesh that lost links gets the coordinates of the complete mesh", "[meshdor]") {
  struct Family {
    std::string spec;
    int links;
  };
  int trials = 0, recognised = 0, same = 0;
  for (const Family& family :
       {Family{"mesh 5x5", 3}, Family{"mesh 8x8", 6}, Family{"mesh 4x4x4", 9},
        Family{"mesh 6x3", 1}, Family{"torus 5x5", 4}, Family{"torus 6x6x4", 20},
        Family{"torus 3x3x3", 4}, Family{"torus 7x3", 3}, Family{"hypercube 6", 9},
        Family{"hypercube 4", 2}}) {
    for (int seed = 1; seed <= 12; ++seed) {
      INFO(family.spec << " " << seed);
      const std::string spec = seeded(family.spec, seed);
      const Fabric whole = make_fabric(spec);
      const Fabric fabric = make_fabric(spec + " --kill-links " + std::to_string(family.links));
      ++trials;
      const auto meshes = recognise_damaged_meshes(fabric);
      if (!meshes) continue;
      ++recognised;
      const MeshGaps gaps = gaps_of(fabric, *meshes);
      CHECK(gaps.switches == 0);
      CHECK(gaps.links == static_cast<std::size_t>(family.links));
      const auto of_whole = recognise_meshes(whole);
      CHECK(are_the_same(recognise_damaged_meshes(whole)->front(), of_whole.front()));
      if (are_the_same(meshes->front(), of_whole.front())) ++same;
    }
  }
  CHECK(trials == 120);
  CHECK(recognised >= 114);
  CHECK(same >= 100);
}

TEST_CASE("missing switches leave gaps in the recognized mesh", "[meshdor]") {
  int recognised = 0;
  for (const std::string spec : {"mesh 6x6", "torus 6x6x4", "hypercube 6", "torus 5x5x5"}) {
    for (int seed = 1; seed <= 6; ++seed) {
      INFO(spec << " " << seed);
      const Fabric fabric = make_fabric(seeded(spec, seed) + " --kill-switches 2");
      const auto meshes = recognise_damaged_meshes(fabric);
      if (!meshes) continue;
      ++recognised;
      const MeshGaps gaps = gaps_of(fabric, *meshes);
      CHECK(gaps.switches == 2);
      CHECK(gaps.links >= 4);
    }
  }
  CHECK(recognised >= 22);
}

TEST_CASE("recognise_damaged_meshes refuses fabrics that are not part of a mesh", "[meshdor]") {
  for (const char* spec :
       {"k-ary-n-tree 3 3", "chic --kill-links 5", "random-regular 16 --degree 4",
        "random-regular 64 --degree 8 --hosts 8",
        "dragonfly --switches 4 --global-links 2 --hosts 2", "xgft 4,4 1,2 --kill-links 1"}) {
    INFO(spec);
    CHECK_FALSE(recognise_damaged_meshes(make_fabric(spec)));
  }
}
