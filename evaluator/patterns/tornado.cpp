// Pattern `tornado` of Dally and Towles, "Principles and Practices of Interconnection Networks"
// (2004), section 3.2: the worst case of shortest-path routing in rings and tori.
//
// In a ring of k, everybody sends to the rank ceil(k / 2) - 1 ahead, just less than half way round,
// so that all traffic goes the same way. In a torus that holds in every dimension. Without sizes
// the ranks are one ring. With sizes they are a torus, the last coordinate counting fastest, as the
// hosts of a torus of make_topo by ascending GUID; its hosts per switch are a dimension more.

#include <vector>

#include "evaluator/patterns/arguments.h"
#include "evaluator/patterns/descriptions.h"
#include "evaluator/patterns/function_pattern.h"
#include "evaluator/patterns/rank_arithmetic.h"

namespace pssp {
namespace {

std::unique_ptr<Pattern> make_tornado(const PatternSpec& request, std::string_view argument) {
  const std::vector<std::uint32_t> sizes = argument.empty()
                                               ? std::vector<std::uint32_t>{request.ranks}
                                               : torus_sizes_argument(request, argument);
  return make_rank_map(request.ranks, [sizes](std::uint32_t rank) {
    std::uint32_t stride = 1;
    std::uint32_t other = 0;
    for (const std::uint32_t size : sizes) {
      const std::uint32_t coordinate = rank / stride % size;
      other += shifted(coordinate, (size + 1) / 2 - 1, size) * stride;
      stride *= size;
    }
    return other;
  });
}

}  // namespace

const PatternDescription tornado_pattern = {
    "tornado", "[AxBx...]",
    "every rank sends just under half-way around a ring, or around each ring of a torus",
    make_tornado};

}  // namespace pssp
