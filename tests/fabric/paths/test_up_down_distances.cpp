// Compares up*/down* distances with searches of the state space, for random orders with which most
// legal paths are not minimal.

#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "fabric/paths/up_down_distances.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

constexpr const char* distance_specs[] = {
    "torus 3x4",
    "mesh 4x4 --hosts 2",
    "torus 3x3 --parallel 2",
    "k-ary-n-tree 2 3",
    "random-regular 14 --degree 3 --seed 1",
    "random-regular 14 --degree 4 --seed 2",
    "random-regular 20 --degree 3 --kill-links 8 --allow-islands --seed 3",
    "mesh 3x3 --kill-links 5 --allow-islands",
};

/// A random usable order: always appends a random neighbor of the switches that are already
/// ordered.
UpDownOrder draw_order(const Fabric& fabric, std::mt19937_64& random) {
  std::vector<std::uint32_t> order;
  std::vector<bool> is_ordered(fabric.switch_count(), false);
  for (std::uint32_t root = 0; root < fabric.switch_count(); ++root) {
    std::vector<std::uint32_t> waiting{root};
    while (!waiting.empty()) {
      std::swap(waiting[random() % waiting.size()], waiting.back());
      const std::uint32_t s = waiting.back();
      waiting.pop_back();
      if (is_ordered[s]) continue;
      is_ordered[s] = true;
      order.push_back(s);
      for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
        waiting.push_back(fabric.channel_head()[c]);
      }
    }
  }
  return UpDownOrder(std::move(order));
}

/// Slow reference implementation for one destination switch.
class Oracle {
 public:
  Oracle(const Fabric& fabric, const UpDownOrder& order, std::uint32_t root)
      : fabric_(fabric), order_(order), root_(root) {}

  bool goes_up(std::uint32_t c) const {
    return order_.is_above(fabric_.channel_head()[c], fabric_.channel_tail()[c]);
  }

  /// Hops of the shortest legal path, regardless of the paths of other switches: breadth-first
  /// search over pairs (switch, whether the packet has gone down).
  std::uint32_t shortest_legal(std::uint32_t source) const {
    std::map<std::pair<std::uint32_t, bool>, std::uint32_t> hops{{{source, false}, 0}};
    std::deque<std::pair<std::uint32_t, bool>> waiting{{source, false}};
    while (!waiting.empty()) {
      const auto state = waiting.front();
      waiting.pop_front();
      if (state.first == root_) return hops[state];
      for_channels(state.first, [&](std::uint32_t c) {
        if (state.second && goes_up(c)) return;
        const std::pair next(fabric_.channel_head()[c], !goes_up(c));
        if (hops.emplace(next, hops[state] + 1).second) waiting.push_back(next);
      });
    }
    return unreachable_distance;
  }

  /// Hops of the shortest path that uses only down channels.
  std::uint32_t descent(std::uint32_t s) {
    if (const auto known = descent_.find(s); known != descent_.end()) return known->second;
    std::uint32_t best = s == root_ ? 0 : unreachable_distance;
    for_channels(s, [&](std::uint32_t c) {
      if (goes_up(c)) return;
      const std::uint32_t rest = descent(fabric_.channel_head()[c]);
      if (rest != unreachable_distance) best = std::min(best, rest + 1);
    });
    return descent_[s] = best;
  }

  /// Whether a switch directly above s goes down on a shortest down path through s. Then s must not
  /// go up.
  bool entered_from_above(std::uint32_t s) {
    bool is_entered = false;
    for_channels(s, [&](std::uint32_t c) {
      const std::uint32_t higher = fabric_.channel_head()[c];
      if (goes_up(c) && descent(s) != unreachable_distance && descent(higher) == descent(s) + 1 &&
          chosen(higher) == descent(higher)) {
        is_entered = true;
      }
    });
    return is_entered;
  }

  /// Hops of the shortest path that the choices of the switches above permit: the expected
  /// distance.
  std::uint32_t chosen(std::uint32_t s) {
    if (const auto known = chosen_.find(s); known != chosen_.end()) return known->second;
    std::uint32_t best = descent(s);
    const bool must_improve = entered_from_above(s);
    for_channels(s, [&](std::uint32_t c) {
      if (must_improve || !goes_up(c)) return;
      const std::uint32_t rest = chosen(fabric_.channel_head()[c]);
      if (rest != unreachable_distance) best = std::min(best, rest + 1);
    });
    return chosen_[s] = best;
  }

  /// Hops if every switch that has a down path uses it.
  std::uint32_t down_where_possible(std::uint32_t s) {
    if (const auto known = down_where_possible_.find(s); known != down_where_possible_.end())
      return known->second;
    std::uint32_t best = descent(s);
    const bool descends = best != unreachable_distance;
    for_channels(s, [&](std::uint32_t c) {
      if (descends || !goes_up(c)) return;
      const std::uint32_t rest = down_where_possible(fabric_.channel_head()[c]);
      if (rest != unreachable_distance) best = std::min(best, rest + 1);
    });
    return down_where_possible_[s] = best;
  }

 private:
  template <class Visit>
  void for_channels(std::uint32_t s, const Visit& visit) const {
    for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
      visit(c);
    }
  }

  const Fabric& fabric_;
  const UpDownOrder& order_;
  std::uint32_t root_;
  std::map<std::uint32_t, std::uint32_t> descent_, chosen_, down_where_possible_;
};

/// Draws one next hop per switch at random, follows the paths to the root, and checks that they are
/// legal and have the expected length.
void check_drawn_paths(const Fabric& fabric, const UpDownDistances& distances, const Oracle& oracle,
                       std::mt19937_64& random) {
  std::vector<std::uint32_t> out(fabric.switch_count());
  for (const std::uint32_t s : distances.order().subspan(1)) {
    std::vector<std::uint32_t> paths;
    for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
      if (distances.is_next_hop(s, c)) paths.push_back(c);
    }
    REQUIRE_FALSE(paths.empty());
    out[s] = paths[random() % paths.size()];
  }
  for (const std::uint32_t source : distances.order()) {
    bool went_down = false;
    std::uint32_t hops = 0;
    for (std::uint32_t s = source; s != distances.order().front();) {
      REQUIRE(++hops <= fabric.switch_count());
      CHECK_FALSE((went_down && oracle.goes_up(out[s])));
      went_down = !oracle.goes_up(out[s]);
      s = fabric.channel_head()[out[s]];
    }
    CHECK(hops == distances.distance()[source]);
  }
}

}  // namespace

TEST_CASE("up*/down* distances equal those of a slow search, and all their paths are legal",
          "[updown]") {
  std::mt19937_64 random(1);
  for (const char* spec : distance_specs) {
    const Fabric fabric = make_fabric(spec);
    for (int drawn = 0; drawn < 3; ++drawn) {
      const UpDownOrder order = draw_order(fabric, random);
      UpDownDistances distances(fabric, order);
      for (std::uint32_t root = 0; root < fabric.switch_count(); ++root) {
        INFO(spec << ", order " << drawn << ", to switch " << root);
        distances.search(SwitchId(root));
        Oracle oracle(fabric, order, root);
        std::size_t reached = 0;
        for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
          const std::uint32_t distance = distances.distance()[s];
          CHECK(distance == oracle.chosen(s));
          CHECK(distance >= oracle.shortest_legal(s));
          CHECK(distance <= oracle.down_where_possible(s));
          if (distance != unreachable_distance) ++reached;
        }
        CHECK(distances.order().front() == root);
        CHECK(distances.order().size() == reached);
        CHECK(std::is_sorted(distances.order().begin(), distances.order().end(),
                             [&](std::uint32_t a, std::uint32_t b) {
                               return distances.distance()[a] < distances.distance()[b];
                             }));
        check_drawn_paths(fabric, distances, oracle, random);
      }
    }
  }
}
