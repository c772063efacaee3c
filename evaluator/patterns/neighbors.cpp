// Nearest neighbors: the patterns `2neighbor`, `4neighbor` and `6neighbor` of the ORCS report
// (section 2.4), `neighbor:N` of ORCS for any number, and its two-dimensional grid.
//
// neighbor:N: beginning with rank 0, each rank is joined to the next ranks with fewer than N
// neighbors, until it has N itself; joined ranks send to each other, all in one level. Rank 0 thus
// gets 1 .. N; rank 1, which already has rank 0, gets 2 .. N; and so on: ranks 0 .. N are all
// neighbors of each other, then the next N + 1 ranks, and finally the remaining ranks. The code
// writes these groups directly. (The report joins rank 0 to "1..X + 1" and rank 1 to "the next X",
// which is more than the X neighbors that it permits; this file follows the source of ORCS.)
//
// neighbor2d: not in a report, but in the source of ORCS (not offered by its command line). Ranks
// fill a grid row by row, ceil(sqrt(n)) in each; each sends to its left, right, upper and lower
// neighbor. Rows and columns are rings, shorter at an incomplete last row. A neighbor in two
// directions gets one flow.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "evaluator/patterns/arguments.h"
#include "evaluator/patterns/descriptions.h"
#include "evaluator/patterns/function_pattern.h"

namespace pssp {
namespace {

std::unique_ptr<Pattern> make_groups(std::uint32_t ranks, std::uint32_t neighbors) {
  const auto write = [ranks, neighbors](std::uint32_t /*level*/, FlowWriter& flows) {
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      const std::uint32_t first = neighbors < ranks ? rank - rank % (neighbors + 1) : 0;
      const std::uint32_t last = first + std::min(neighbors, ranks - 1 - first);
      for (std::uint32_t other = first; other <= last; ++other) {
        if (other != rank) flows.add(rank, other);
      }
    }
  };
  return make_function_pattern(ranks, ranks < 2 ? 0 : 1, write);
}

std::unique_ptr<Pattern> make_neighbor(const PatternSpec& request, std::string_view argument) {
  const std::uint32_t neighbors = whole_number_argument(
      request, argument, "the number of neighbors", 1, std::numeric_limits<std::uint32_t>::max());
  return make_groups(request.ranks, neighbors);
}

template <std::uint32_t neighbors>
std::unique_ptr<Pattern> make_neighbors(const PatternSpec& request, std::string_view /*argument*/) {
  return make_groups(request.ranks, neighbors);
}

/// Ranks in a row of a grid of `ranks`, ceil(sqrt(ranks)).
std::uint32_t row_length(std::uint32_t ranks) {
  return static_cast<std::uint32_t>(std::ceil(std::sqrt(static_cast<double>(ranks))));
}

std::unique_ptr<Pattern> make_neighbor2d(const PatternSpec& request,
                                         std::string_view /*argument*/) {
  const std::uint32_t ranks = request.ranks;
  const auto write = [ranks, width = row_length(ranks)](std::uint32_t /*level*/,
                                                        FlowWriter& flows) {
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      const std::uint32_t x = rank % width;
      const std::uint32_t row = rank - x;
      const std::uint32_t row_end = std::min(row + width, ranks);
      const std::uint32_t column_end = x + (ranks - 1 - x) / width * width;  // its last rank
      std::array others{rank == row ? row_end - 1 : rank - 1, rank + 1 == row_end ? row : rank + 1,
                        row == 0 ? column_end : rank - width,
                        rank == column_end ? x : rank + width};
      std::ranges::sort(others);
      const auto end = std::unique(others.begin(), others.end());
      for (auto other = others.begin(); other != end; ++other) {
        if (*other != rank) flows.add(rank, *other);
      }
    }
  };
  return make_function_pattern(ranks, ranks < 2 ? 0 : 1, write);
}

}  // namespace

const PatternDescription neighbor_pattern = {
    "neighbor", "N", "groups of N + 1 ranks, in each of which all pairs exchange at the same time",
    make_neighbor};
const PatternDescription two_neighbor_pattern = {"2neighbor", "", "another name of neighbor:2",
                                                 make_neighbors<2>};
const PatternDescription four_neighbor_pattern = {"4neighbor", "", "another name of neighbor:4",
                                                  make_neighbors<4>};
const PatternDescription six_neighbor_pattern = {"6neighbor", "", "another name of neighbor:6",
                                                 make_neighbors<6>};
const PatternDescription neighbor2d_pattern = {
    "neighbor2d", "", "every rank sends to its four neighbors in a periodic grid", make_neighbor2d};

}  // namespace pssp
