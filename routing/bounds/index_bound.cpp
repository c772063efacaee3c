#include "routing/bounds/index_bound.h"

#include <algorithm>
#include <cmath>

#include "routing/bounds/congestion_prices.h"

namespace pssp {

IndexBound edge_forwarding_index_bound(const Fabric& fabric, std::uint64_t max_work) {
  IndexBound bound;
  bound.cut = find_tight_cut(fabric, max_work / 2);
  bound.price_bound = price_bound(fabric, max_work / 2);
  bound.value = std::max(bound.cut.routes_per_channel, bound.price_bound);
  const auto costs = fabric.channel_cost();
  if (std::all_of(costs.begin(), costs.end(), [](double cost) { return cost == 1; })) {
    constexpr double rounding = 1e-9;
    bound.value = std::ceil(bound.value * (1 - rounding));  // loads are whole numbers
  }
  return bound;
}

}  // namespace pssp
