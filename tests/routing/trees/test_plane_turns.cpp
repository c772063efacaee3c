#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "routing/trees/plane_turns.h"

using namespace pssp;

namespace {

using Ways = std::vector<std::size_t>;

/// By way of plane 0, those of all planes.
std::vector<std::set<std::size_t>> sets_of_ways(std::size_t ways, std::size_t planes) {
  std::vector<std::set<std::size_t>> sets(ways);
  for (std::size_t way = 0; way < ways; ++way) {
    for (std::size_t plane = 0; plane < planes; ++plane)
      sets[way].insert(turned_way(way, ways, plane, planes, 0, {}));
  }
  return sets;
}

}  // namespace

TEST_CASE("plane turns: each plane uses each way once, and no two planes the same", "[planes]") {
  for (std::size_t ways = 1; ways <= 40; ++ways) {
    for (std::size_t planes = 1; planes <= 32; planes *= 2) {
      INFO(ways << " ways, " << planes << " planes");
      for (std::size_t plane = 0; plane < planes; ++plane) {
        std::set<std::size_t> used;
        for (std::size_t way = 0; way < ways; ++way)
          used.insert(turned_way(way, ways, plane, planes, 0, {}));
        CHECK(used.size() == ways);
        CHECK(*used.rbegin() == ways - 1);
      }
      for (std::size_t way = 0; way < ways; ++way) {
        CHECK(turned_way(way, ways, 0, planes, 0, {}) == way);
        CHECK(sets_of_ways(ways, planes)[way].size() == std::min(ways, planes));
      }
    }
  }
}

TEST_CASE("plane turns: ways that planes share are closed sets where ways divide by planes",
          "[planes]") {
  for (const auto& [ways, planes] :
       {std::pair<std::size_t, std::size_t>{16, 2}, {16, 4}, {18, 2}, {12, 4}, {14, 2}, {4, 4}}) {
    INFO(ways << " ways, " << planes << " planes");
    const auto sets = sets_of_ways(ways, planes);
    for (const auto& set : sets) {
      for (const std::size_t member : set) CHECK(sets[member] == set);
    }
  }
}

TEST_CASE("plane turns: of an odd number of ways no set reaches beyond a block", "[planes]") {
  // 0, 7, 14; 1, 8; 2, 9; ...: seven blocks of 15 ways with two planes.
  const auto sets = sets_of_ways(15, 2);
  for (std::size_t way = 0; way < sets.size(); ++way) {
    for (const std::size_t other : sets[way]) CHECK(other % 7 == way % 7);
  }
}

TEST_CASE("plane turns: where ways are fewer than planes these part above", "[planes]") {
  for (const Ways& usual : {Ways{2, 2}, Ways{2, 2, 2}, Ways{2, 12, 2}, Ways{3, 3}, Ways{2, 3}}) {
    std::size_t all = 1;
    for (const std::size_t each : usual) all *= each;
    for (std::size_t planes = 1; planes <= 16; planes *= 2) {
      std::set<Ways> taken;
      for (std::size_t plane = 0; plane < planes; ++plane) {
        Ways way;
        for (std::size_t rank = 0; rank < usual.size(); ++rank)
          way.push_back(turned_way(0, usual[rank], plane, planes, rank, usual));
        taken.insert(way);
      }
      INFO(usual.size() << " ranks, " << planes << " planes");
      CHECK(taken.size() == std::min(all, planes));
    }
  }
}
