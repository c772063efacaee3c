#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "routing/trees/plane_turns.h"

using namespace pssp;

namespace {

using AllPaths = std::vector<std::size_t>;

/// For each path of plane 0, the paths of all planes.
std::vector<std::set<std::size_t>> sets_of_paths(std::size_t paths, std::size_t planes) {
  std::vector<std::set<std::size_t>> sets(paths);
  for (std::size_t path = 0; path < paths; ++path) {
    for (std::size_t plane = 0; plane < planes; ++plane)
      sets[path].insert(turned_path(path, paths, plane, planes, 0, {}));
  }
  return sets;
}

}  // namespace

TEST_CASE("each plane uses each path once, and planes differ if there are enough paths",
          "[planes]") {
  for (std::size_t paths = 1; paths <= 40; ++paths) {
    for (std::size_t planes = 1; planes <= 32; planes *= 2) {
      INFO(paths << " paths, " << planes << " planes");
      for (std::size_t plane = 0; plane < planes; ++plane) {
        std::set<std::size_t> used;
        for (std::size_t path = 0; path < paths; ++path)
          used.insert(turned_path(path, paths, plane, planes, 0, {}));
        CHECK(used.size() == paths);
        CHECK(*used.rbegin() == paths - 1);
      }
      for (std::size_t path = 0; path < paths; ++path) {
        CHECK(turned_path(path, paths, 0, planes, 0, {}) == path);
        CHECK(sets_of_paths(paths, planes)[path].size() == std::min(paths, planes));
      }
    }
  }
}

TEST_CASE("planes share closed sets of paths if the number of planes divides that of paths",
          "[planes]") {
  for (const auto& [paths, planes] :
       {std::pair<std::size_t, std::size_t>{16, 2}, {16, 4}, {18, 2}, {12, 4}, {14, 2}, {4, 4}}) {
    INFO(paths << " paths, " << planes << " planes");
    const auto sets = sets_of_paths(paths, planes);
    for (const auto& set : sets) {
      for (const std::size_t member : set) CHECK(sets[member] == set);
    }
  }
}

TEST_CASE("with an odd number of paths, no set of paths reaches beyond a block", "[planes]") {
  // Seven blocks of 15 paths with two planes: 0, 7, 14; 1, 8; 2, 9; ...
  const auto sets = sets_of_paths(15, 2);
  for (std::size_t path = 0; path < sets.size(); ++path) {
    for (const std::size_t other : sets[path]) CHECK(other % 7 == path % 7);
  }
}

TEST_CASE("if there are fewer paths than planes, the planes separate above", "[planes]") {
  for (const AllPaths& usual :
       {AllPaths{2, 2}, AllPaths{2, 2, 2}, AllPaths{2, 12, 2}, AllPaths{3, 3}, AllPaths{2, 3}}) {
    std::size_t all = 1;
    for (const std::size_t each : usual) all *= each;
    for (std::size_t planes = 1; planes <= 16; planes *= 2) {
      std::set<AllPaths> taken;
      for (std::size_t plane = 0; plane < planes; ++plane) {
        AllPaths path;
        for (std::size_t rank = 0; rank < usual.size(); ++rank)
          path.push_back(turned_path(0, usual[rank], plane, planes, rank, usual));
        taken.insert(path);
      }
      INFO(usual.size() << " ranks, " << planes << " planes");
      CHECK(taken.size() == std::min(all, planes));
    }
  }
}
