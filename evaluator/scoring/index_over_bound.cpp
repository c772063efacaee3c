#include "evaluator/scoring/index_over_bound.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace pssp {
namespace {

constexpr std::uint8_t elsewhere = 0, reached = 1, inside = 2;

}  // namespace

CutSide smaller_side(const Fabric& fabric, const Cut& cut) {
  if (cut.inside.empty()) return {};
  std::vector<std::uint8_t> state(fabric.switch_count(), elsewhere);
  std::vector<SwitchId> outside, island(cut.inside);
  for (const SwitchId s : cut.inside) state[s.value()] = inside;
  for (std::size_t i = 0; i < island.size(); ++i) {
    const std::uint32_t s = island[i].value();
    for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
      const std::uint32_t next = fabric.channel_head()[c];
      if (state[next] != elsewhere) continue;
      state[next] = reached;
      outside.emplace_back(next);
      island.emplace_back(next);
    }
  }
  if (cut.inside.size() <= outside.size()) return {cut.inside, outside.size()};
  std::sort(outside.begin(), outside.end(),
            [](SwitchId a, SwitchId b) { return a.value() < b.value(); });
  return {std::move(outside), cut.inside.size()};
}

double index_over_bound(double index, const IndexBound& bound) {
  return bound.value > 0 ? index / bound.value : 1;
}

}  // namespace pssp
