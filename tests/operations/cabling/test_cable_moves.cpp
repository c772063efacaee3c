// Compares moves_of() with the fewest moves by a breadth-first search from the plan over all
// cablings of a few ports.

#include <catch2/catch.hpp>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "operations/cabling/cable_moves.h"

namespace pssp {
namespace {

/// By port: the port at the other end of its cable, or the port itself if it is free.
using State = std::vector<std::uint8_t>;

void unplug(State& state, std::uint8_t port) {
  state[state[port]] = state[port];
  state[port] = port;
}

void plug(State& state, std::uint8_t a, std::uint8_t b) {
  state[a] = b;
  state[b] = a;
}

template <class Take>
void each_neighbour(const State& state, const Take& take) {
  const auto n = static_cast<std::uint8_t>(state.size());
  for (std::uint8_t a = 0; a < n; ++a) {
    for (std::uint8_t b = 0; b < n; ++b) {
      if (a == b) continue;
      State next = state;
      const std::uint8_t far_a = state[a], far_b = state[b];
      const bool a_is_free = far_a == a, b_is_free = far_b == b;
      if (a < b && a_is_free && b_is_free) {
        plug(next, a, b);
      } else if (a < b && far_a == b) {
        unplug(next, a);
      } else if (!a_is_free && b_is_free) {
        unplug(next, a);
        plug(next, far_a, b);
      } else if (a < b && !a_is_free && !b_is_free) {
        plug(next, far_a, b);
        plug(next, far_b, a);
      } else {
        continue;
      }
      take(next);
    }
  }
}

std::map<State, unsigned> distances_from(const State& plan) {
  std::map<State, unsigned> distance{{plan, 0}};
  std::vector<State> wave{plan};
  for (unsigned moves = 1; !wave.empty(); ++moves) {
    std::vector<State> next_wave;
    for (const State& state : wave) {
      each_neighbour(state, [&](const State& next) {
        if (distance.emplace(next, moves).second) next_wave.push_back(next);
      });
    }
    wave = std::move(next_wave);
  }
  return distance;
}

PortPairs pairs_of(const State& state) {
  PortPairs pairs;
  for (std::uint32_t p = 0; p < state.size(); ++p) {
    if (p < state[p]) pairs.emplace_back(p, state[p]);
  }
  return pairs;
}

State after(State state, const std::vector<PlugMove>& moves) {
  for (const PlugMove& move : moves) {
    const auto from = static_cast<std::uint8_t>(move.from);
    const auto to = static_cast<std::uint8_t>(move.to);
    const std::uint8_t far_from = state[from], far_to = state[to];
    switch (move.kind) {
      case PlugMove::Kind::exchange:
        REQUIRE((far_from != from && far_to != to && far_from != to));
        plug(state, far_from, to);
        plug(state, far_to, from);
        break;
      case PlugMove::Kind::replug:
        REQUIRE((far_from != from && far_to == to));
        unplug(state, from);
        plug(state, far_from, to);
        break;
      case PlugMove::Kind::connect:
        REQUIRE((far_from == from && far_to == to));
        plug(state, from, to);
        break;
      case PlugMove::Kind::remove:
        REQUIRE(far_from == to);
        unplug(state, from);
        break;
    }
  }
  return state;
}

/// Checks the moves from every possible cabling of the ports to the plan.
void check_all(unsigned ports, unsigned planned) {
  State plan(ports);
  std::iota(plan.begin(), plan.end(), std::uint8_t{0});
  for (unsigned c = 0; c < planned; ++c) {
    plug(plan, static_cast<std::uint8_t>(2 * c), static_cast<std::uint8_t>(2 * c + 1));
  }
  std::size_t wrong = 0;
  for (const auto& [state, fewest] : distances_from(plan)) {
    for (const bool odd_side : {false, true}) {
      std::vector<PlugMove> moves;
      for (const AlternatingWalk& walk :
           alternating_walks(ports, pairs_of(plan), pairs_of(state))) {
        const std::vector<PlugMove> some = moves_of(walk, odd_side);
        moves.insert(moves.end(), some.begin(), some.end());
      }
      if (moves.size() != fewest || after(state, moves) != plan) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("the moves lead to the plan and are the fewest possible") {
  check_all(8, 4);
  check_all(7, 2);
}

TEST_CASE("the moves are the fewest possible for six cables", "[.slow]") { check_all(12, 6); }

}  // namespace
}  // namespace pssp
