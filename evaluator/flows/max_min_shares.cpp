// Progressive filling: all rates rise together in proportion to their weights; when a link is full,
// its flows stop rising. A link fills at the level (capacity - rates of its stopped flows) /
// (weight of its rising flows). Stopped flows only let other links fill later, so links are in a
// heap by their last known level, and a link that is removed too early is inserted again.

#include "evaluator/flows/max_min_shares.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <utility>

namespace pssp {
namespace {

/// A link, or the demand of one flow, modeled as a separate link.
struct SharedLink {
  double left = 0;    ///< capacity minus the rates of its stopped flows
  double weight = 0;  ///< of the rising flows
  std::vector<std::uint32_t> flows;
};

double filling_level(const SharedLink& link) {
  return link.weight <= 0 ? std::numeric_limits<double>::infinity()
                          : std::max(0.0, link.left) / link.weight;
}

std::vector<SharedLink> shared_links(std::span<const SharingFlow> flows,
                                     std::span<const double> capacities) {
  std::vector<SharedLink> links(capacities.size());
  for (std::size_t i = 0; i < capacities.size(); ++i) links[i].left = capacities[i];
  for (std::uint32_t f = 0; f < flows.size(); ++f) {
    for (const std::uint32_t link : flows[f].links) {
      links[link].weight += flows[f].weight;
      links[link].flows.push_back(f);
    }
    if (flows[f].demand > 0) links.push_back({flows[f].demand, flows[f].weight, {f}});
  }
  return links;
}

}  // namespace

std::vector<double> max_min_shares(std::span<const SharingFlow> flows,
                                   std::span<const double> capacities) {
  using Level = std::pair<double, std::uint32_t>;
  std::vector<SharedLink> links = shared_links(flows, capacities);
  std::priority_queue<Level, std::vector<Level>, std::greater<>> heap;
  for (std::uint32_t i = 0; i < links.size(); ++i) {
    if (!links[i].flows.empty()) heap.emplace(filling_level(links[i]), i);
  }
  std::vector<double> rates(flows.size());
  std::vector<char> stopped(flows.size());
  while (!heap.empty()) {
    const auto [known, full] = heap.top();
    heap.pop();
    std::vector<std::uint32_t> rising = links[full].flows;
    std::erase_if(rising, [&](std::uint32_t f) { return stopped[f] != 0; });
    if (rising.empty()) continue;
    const double level = filling_level(links[full]);
    if (level > known) {
      heap.emplace(level, full);
      continue;
    }
    for (const std::uint32_t f : rising) {
      stopped[f] = 1;
      rates[f] = level * flows[f].weight;
      for (const std::uint32_t link : flows[f].links) {
        links[link].left -= rates[f];
        links[link].weight -= flows[f].weight;
      }
    }
  }
  return rates;
}

}  // namespace pssp
