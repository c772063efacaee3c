#include "routing/engines/parts/trees/tree_loads.h"

#include <algorithm>
#include <cmath>

#include "routing/engines/parts/trees/tree_columns.h"

namespace pssp {

TreeLoads::TreeLoads(const Fabric& fabric, double limit)
    : fabric_(fabric), values_(fabric.channel_count() + padding, 0.0), limit_(limit) {
  const auto costs = fabric.channel_cost();
  const auto is_multiple = [](double cost) { return std::floor(cost / step) * step == cost; };
  count_routes_ = std::all_of(costs.begin(), costs.end(), [](double cost) { return cost == 1; });
  marked_ = std::all_of(costs.begin(), costs.end(), is_multiple);
  if (!marked_) return;
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) values_[c] = mark_of(c);
}

double TreeLoads::mark_of(std::uint32_t channel) const {
  return mark * (channel - fabric_.first_channel()[fabric_.channel_tail()[channel]]);
}

void TreeLoads::unmark() {
  if (!marked_) return;
  for (std::uint32_t c = 0; c < fabric_.channel_count(); ++c) values_[c] -= mark_of(c);
  marked_ = false;
}

void TreeLoads::make_room(double load) {
  total_ += load;
  if (total_ >= limit_) unmark();
}

void TreeLoads::lean(std::span<const std::uint8_t> column, double load) {
  const auto first = fabric_.first_channel();
  for (std::size_t s = 0; s < column.size(); ++s) {
    if (column[s] != TreeColumns::no_path) values_[first[s] + column[s]] += load;
  }
}

double TreeLoads::shared_pairs() const {
  double pairs = 0;
  for (std::uint32_t c = 0; c < fabric_.channel_count(); ++c) {
    const double load = marked_ ? values_[c] - mark_of(c) : values_[c];
    pairs += load * load;
  }
  return pairs;
}

}  // namespace pssp
