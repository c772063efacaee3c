#pragma once

// What a job sends, by places of its order: which node plays which place is what order_search.h
// looks for.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "evaluator/patterns/pattern.h"

namespace pssp {

/// From the node at one place to that at another, both on the same rail.
struct PlacedFlow {
  std::uint32_t from = 0, to = 0;
  std::uint32_t rail = 0;
  std::uint32_t weight = 1;  ///< flows that are alike

  friend bool operator==(const PlacedFlow&, const PlacedFlow&) = default;
};

/// Flows of all rounds, one after the other; in each by place and rail, none twice.
struct PlacedRounds {
  std::uint32_t positions = 0, rails = 0;
  std::vector<PlacedFlow> flows;
  std::vector<std::size_t> first{0};  ///< round r is flows[first[r]] .. flows[first[r + 1] - 1]

  std::size_t count() const noexcept { return first.size() - 1; }
};

inline constexpr std::size_t most_placed_flows = std::size_t{1} << 25U;

/// Of a pattern of places * ranks_per_host ranks, the ranks of a place following each other. With
/// one rank a place all its rails send what it sends; with more rank r of a place sends by rail r
/// mod rails, and what stays within a place crosses no link. Levels in which no one sends are no
/// rounds. What a pattern draws at random is drawn from `seed`. Throws Error(usage) beyond
/// most_placed_flows. O(flows log flows).
PlacedRounds placed_rounds(const Pattern& pattern, std::uint32_t positions,
                           std::uint32_t ranks_per_host, std::uint32_t rails, std::uint64_t seed);

}  // namespace pssp
