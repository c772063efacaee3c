#include "evaluator/flows/congestion.h"

#include <algorithm>

// Scores a pattern in three passes over its flows: collect the cells of the routes (FlowPaths),
// count the flows on each channel, look up the largest count on each route. The last two use
// counters that fit the innermost caches. All counters are cleared together, because clearing a few
// kilobytes sequentially is faster than clearing the used counters one by one.
//
// Counters have 16 bits: a pattern has at most one flow per unicast LID, 49,151 in all, since each
// end port sends at most one.

namespace pssp {

CongestionCounter::CongestionCounter(const RouteStore& routes)
    : routes_(routes), paths_(routes), load_(routes.slot_count()) {}

std::span<const double> CongestionCounter::largest_congestion(std::span<const Flow> flows) {
  start_with_own_links(flows);
  paths_.collect(flows);
  paths_.with_cells([this](const auto& paths) {
    count(paths);
    find_largest(paths);
  });
  return congestion_;
}

template <class Index>
void CongestionCounter::count(const FlowPaths::Cells<Index>& paths) {
  std::fill(load_.begin(), load_.end(), std::uint16_t{0});
  std::uint16_t* const load = load_.data();
  for (const RouteStore::Cell<Index>& cell : paths.cells) {
    for (const Index slot : cell) ++load[slot];
  }
}

void CongestionCounter::start_with_own_links(std::span<const Flow> flows) {
  congestion_.resize(flows.size());
  if (routes_.uniform()) {
    std::fill(congestion_.begin(), congestion_.end(), 1.0);
    return;
  }
  for (std::size_t i = 0; i < flows.size(); ++i) {
    congestion_[i] = std::max(routes_.endpoint_cost(flows[i].source),
                              routes_.endpoint_cost(flows[i].destination));
  }
}

template <class Index>
void CongestionCounter::find_largest(const FlowPaths::Cells<Index>& paths) {
  const auto update_all = [&](const auto& congestion_of) {
    const std::size_t flows = congestion_.size();
    for (std::size_t i = 0; i < flows; ++i) {
      congestion_[i] = std::max(congestion_[i], congestion_of(paths.cells[i]));
    }
    for (std::size_t i = flows; i < paths.cells.size(); ++i) {
      double& congestion = congestion_[paths.flow_of_tail[i - flows]];
      congestion = std::max(congestion, congestion_of(paths.cells[i]));
    }
  };
  if (routes_.uniform()) {
    std::fill(load_.begin() + routes_.channel_count(), load_.end(), std::uint16_t{0});
    update_all([load = load_.data()](const RouteStore::Cell<Index>& cell) {
      std::uint16_t largest = 0;
      for (const Index slot : cell) largest = std::max(largest, load[slot]);
      return static_cast<double>(largest);
    });
    return;
  }
  update_all([load = load_.data(),
              cost = routes_.slot_cost().data()](const RouteStore::Cell<Index>& cell) {
    double largest = 0;
    for (const Index slot : cell) largest = std::max(largest, load[slot] * cost[slot]);
    return largest;
  });
}

}  // namespace pssp
