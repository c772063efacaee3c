#include "routing/deadlock/starting_orders.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "fabric/paths/hop_distances.h"

namespace pssp {
namespace {

/// Of two switches at the same distance, the one with the lower number counts as nearer.
std::vector<std::uint32_t> sequence_of(const Fabric& fabric,
                                       std::span<const std::uint32_t> distance,
                                       bool towards_first) {
  std::vector<std::int64_t> key(fabric.channel_count());
  const auto switches = static_cast<std::int64_t>(fabric.switch_count());
  const auto rank = [&](std::uint32_t s) {
    const std::int64_t steps = std::min<std::int64_t>(distance[s], switches);
    return steps * switches + s;
  };
  const std::int64_t all = switches * (switches + 1);
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    const std::int64_t tail = rank(fabric.channel_tail()[c]), head = rank(fabric.channel_head()[c]);
    const bool towards = head < tail;
    key[c] = (towards ? -tail : tail) + (towards == towards_first ? 0 : 2 * all);
  }
  std::vector<std::uint32_t> sequence(fabric.channel_count());
  std::iota(sequence.begin(), sequence.end(), 0U);
  std::sort(sequence.begin(), sequence.end(), [&key](std::uint32_t a, std::uint32_t b) {
    return key[a] != key[b] ? key[a] < key[b] : a < b;
  });
  return sequence;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> up_down_sequences(const Fabric& fabric,
                                                          unsigned root_count) {
  std::vector<std::vector<std::uint32_t>> sequences;
  if (fabric.channel_count() == 0) return sequences;
  HopDistances from(fabric);
  from.search(SwitchId(fabric.channel_tail()[0]));
  std::uint32_t root = from.order().back();
  std::vector<std::uint32_t> nearest_root(fabric.switch_count(), unreachable_distance);
  for (unsigned i = 0; i < root_count; ++i) {
    from.search(SwitchId(root));
    sequences.push_back(sequence_of(fabric, from.distance(), true));
    sequences.push_back(sequence_of(fabric, from.distance(), false));
    for (const std::uint32_t s : from.order())
      nearest_root[s] = std::min(nearest_root[s], from.distance()[s]);
    for (const std::uint32_t s : from.order()) {
      if (nearest_root[s] > nearest_root[root]) root = s;
    }
    if (nearest_root[root] == 0) break;
  }
  return sequences;
}

}  // namespace pssp
