#pragma once

// The flows of a job by positions of its order; order_search.h assigns nodes to positions.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "evaluator/patterns/pattern.h"

namespace pssp {

/// From the node at one position to that at another, both on the same rail.
struct PlacedFlow {
  std::uint32_t from = 0, to = 0;
  std::uint32_t rail = 0;
  std::uint32_t weight = 1;  ///< number of equal flows

  friend bool operator==(const PlacedFlow&, const PlacedFlow&) = default;
};

/// Flows of all rounds, one after the other; within a round by position and rail, distinct.
struct PlacedRounds {
  std::uint32_t positions = 0, rails = 0;
  std::vector<PlacedFlow> flows;
  std::vector<std::size_t> first{0};  ///< round r is flows[first[r]] .. flows[first[r + 1] - 1]

  std::size_t count() const noexcept { return first.size() - 1; }
};

inline constexpr std::size_t most_placed_flows = std::size_t{1} << 25U;

/// The flows of a pattern of places * ranks_per_host ranks, with consecutive ranks per position.
/// With one rank per position, all its rails send its messages; with more, rank r of a position
/// uses rail r mod rails, and messages within a position use no link. Levels without flows are
/// omitted. Random choices of the pattern use `seed`. Throws Error(usage) beyond most_placed_flows.
/// O(flows log flows).
PlacedRounds placed_rounds(const Pattern& pattern, std::uint32_t positions,
                           std::uint32_t ranks_per_host, std::uint32_t rails, std::uint64_t seed);

}  // namespace pssp
