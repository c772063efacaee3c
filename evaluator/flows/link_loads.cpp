#include "evaluator/flows/link_loads.h"

#include <algorithm>

// Counters have 32 bits: an all-to-all of a fabric that fills the LID space has 2.4 * 10^9 flows.
//
// Padding slots of the cells are counted, too, which saves a branch per hop; their cost is 0.

namespace pssp {

LinkLoads::LinkLoads(const RouteStore& routes, HostLinks host_links)
    : routes_(routes),
      host_links_(host_links),
      load_(routes.slot_count()),
      sent_(routes.endpoint_count()),
      received_(routes.endpoint_count()) {}

void LinkLoads::clear() {
  std::fill(load_.begin(), load_.end(), 0U);
  std::fill(sent_.begin(), sent_.end(), 0U);
  std::fill(received_.begin(), received_.end(), 0U);
}

void LinkLoads::add(const FlowPaths& paths) {
  const std::span<const Flow> flows = paths.flows();
  paths.with_cells([&](const auto& all) {
    for (const auto& cell : all.cells) {
      for (const auto slot : cell) ++load_[slot];
    }
    for (std::size_t i = 0; i < flows.size(); ++i) {
      if (all.cells[i].front() == routes_.blocked()) continue;
      ++sent_[flows[i].source];
      ++received_[flows[i].destination];
    }
  });
}

void LinkLoads::congestion(const FlowPaths& paths, std::span<double> result) const {
  const std::span<const Flow> flows = paths.flows();
  const std::span<const double> cost = routes_.slot_cost();
  if (host_links_ == HostLinks::counted) {
    for (std::size_t i = 0; i < flows.size(); ++i) {
      const auto [source, destination] = flows[i];
      result[i] = std::max(sent_[source] * routes_.endpoint_cost(source),
                           received_[destination] * routes_.endpoint_cost(destination));
    }
  } else {
    std::fill(result.begin(), result.end(), 0.0);
  }
  paths.with_cells([&](const auto& all) {
    for (std::size_t i = 0; i < all.cells.size(); ++i) {
      double largest = 0;
      for (const auto slot : all.cells[i]) largest = std::max(largest, load_[slot] * cost[slot]);
      double& known = result[i < flows.size() ? i : all.flow_of_tail[i - flows.size()]];
      known = std::max(known, largest);
    }
  });
  std::replace(result.begin(), result.end(), 0.0, 1.0);
}

}  // namespace pssp
