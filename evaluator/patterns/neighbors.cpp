// Nearest neighbours: the patterns `2neighbor`, `4neighbor` and `6neighbor` of the ORCS report
// (section 2.4), `neighbor:N` of ORCS for any number, and its two-dimensional grid.
//
// neighbor:N: beginning with rank 0, each rank is joined to the next ranks that have fewer than N
// neighbours, until it has N itself; those that are joined send to each other, all in one level.
// Rank 0 thus gets 1 .. N; rank 1, which has rank 0 already, gets 2 .. N; and so on: ranks 0 .. N
// come out as neighbours all of each other, the next N + 1 ranks likewise, and the last ranks, if
// fewer, too. So that is how it is written here. (The report joins rank 0 to "1..X + 1" and rank 1
// to "the next X": more than X neighbours, which it forbids in its next sentence. We do as ORCS.)
//
// neighbor2d: in no report, but in the source of ORCS (its command line does not offer it). Ranks
// fill a grid row by row, ceil(sqrt(n)) in each; each sends to those on its left and right, above
// and below it. Rows and columns are closed to rings, and shorter where the last row is. Whoever is
// neighbour in two ways is sent to once.

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
      request, argument, "the number of neighbours", 1, std::numeric_limits<std::uint32_t>::max());
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
