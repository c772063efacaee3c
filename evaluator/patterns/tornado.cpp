// Pattern `tornado` of Dally and Towles, "Principles and Practices of Interconnection Networks"
// (2004), section 3.2: the worst case of shortest-path routing in rings and tori.
//
// In a ring of k, everybody sends to the rank ceil(k / 2) - 1 ahead, just less than half way round,
// so that all traffic goes the same way. In a torus that holds in every dimension. Without sizes
// the ranks are one ring. With sizes they are a torus, the last coordinate counting fastest, as the
// hosts of a torus of make_topo by ascending GUID; its hosts per switch are a dimension more.

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text_lines.h"
#include "evaluator/patterns/arguments.h"
#include "evaluator/patterns/descriptions.h"
#include "evaluator/patterns/function_pattern.h"
#include "evaluator/patterns/rank_arithmetic.h"

namespace pssp {
namespace {

/// Those of the coordinates that count fastest come first.
std::vector<std::uint32_t> ring_sizes(const PatternSpec& request, std::string_view argument) {
  if (argument.empty()) return {request.ranks};
  std::vector<std::uint32_t> sizes;
  std::uint64_t product = 1;
  for (std::string_view rest = argument;; rest.remove_prefix(1)) {
    const auto size = take_number(rest);
    const bool more = rest.starts_with('x');
    if (!size || *size == 0 || (!more && !rest.empty())) {
      refuse_pattern(request, fmt::format("has '{}' for the sizes of a torus; expected whole "
                                          "numbers, e.g. 8x8x4",
                                          shown(argument)));
    }
    if (*size > request.ranks || (product *= *size) > request.ranks) break;
    sizes.push_back(static_cast<std::uint32_t>(*size));
    if (!more) break;
  }
  if (product != request.ranks) {
    refuse_pattern(request,
                   fmt::format("describes a torus that does not have {} ranks", request.ranks));
  }
  std::ranges::reverse(sizes);
  return sizes;
}

std::unique_ptr<Pattern> make_tornado(const PatternSpec& request, std::string_view argument) {
  const std::vector<std::uint32_t> sizes = ring_sizes(request, argument);
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
    "everybody sends just less than half way round a ring, or round each ring of a torus",
    make_tornado};

}  // namespace pssp
