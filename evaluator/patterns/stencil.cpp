// Halo exchange: `stencil:AxBxC`. Ranks are the cells of a grid of any number of dimensions, the
// last coordinate varying fastest, as in MPI_Cart_create(); each sends to the next cell in both
// directions of each dimension, all at once. The grid is periodic. A neighbor in two directions
// gets one flow.

#include <algorithm>
#include <vector>

#include "evaluator/patterns/arguments.h"
#include "evaluator/patterns/descriptions.h"
#include "evaluator/patterns/function_pattern.h"
#include "evaluator/patterns/rank_arithmetic.h"

namespace pssp {
namespace {

std::unique_ptr<Pattern> make_stencil(const PatternSpec& request, std::string_view argument) {
  const std::uint32_t ranks = request.ranks;
  const std::vector<std::uint32_t> sizes = torus_sizes_argument(request, argument);
  const auto write = [ranks, sizes](std::uint32_t /*level*/, FlowWriter& flows) {
    std::vector<std::uint32_t> others;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      others.clear();
      std::uint32_t stride = 1;
      for (const std::uint32_t size : sizes) {
        const std::uint32_t coordinate = rank / stride % size;
        const std::uint32_t first = rank - coordinate * stride;
        others.push_back(first + shifted(coordinate, 1 % size, size) * stride);
        others.push_back(first + shifted(coordinate, size - 1, size) * stride);
        stride *= size;
      }
      std::ranges::sort(others);
      others.erase(std::unique(others.begin(), others.end()), others.end());
      for (const std::uint32_t other : others) {
        if (other != rank) flows.add(rank, other);
      }
    }
  };
  return make_function_pattern(ranks, ranks < 2 ? 0 : 1, write);
}

}  // namespace

const PatternDescription stencil_pattern = {
    "stencil", "AxBx...",
    "every rank sends to its neighbors in both directions of each dimension of a periodic grid",
    make_stencil};

}  // namespace pssp
