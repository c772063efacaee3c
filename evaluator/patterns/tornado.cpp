// Pattern `tornado` of Dally and Towles, "Principles and Practices of Interconnection Networks"
// (2004), section 3.2: the worst case of shortest-path routing in rings and tori.
//
// In a ring of k, each rank sends to the rank ceil(k / 2) - 1 ahead, just less than half way
// around, so that all traffic has the same direction. In a torus, this holds in every dimension.
// Without sizes, the ranks form one ring. With sizes, they form a torus, the last coordinate
// varying fastest, like the hosts of a torus of make_topo by ascending GUID; its hosts per switch
// are an additional dimension.

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
