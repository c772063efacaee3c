#include "routing/engines/parts/destination_order.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "fabric/lid_counts.h"
#include "fabric/paths/hop_distances.h"

namespace pssp {
namespace {

/// Number of shortest paths from the root of the search to each switch (as a double: there may be
/// more than 2^64).
class PathCounts {
 public:
  explicit PathCounts(const Fabric& fabric) : fabric_(fabric), paths_(fabric.switch_count()) {}

  const std::vector<double>& count(const HopDistances& search) {
    const auto distance = search.distance();
    for (const std::uint32_t s : search.order()) paths_[s] = 0;
    paths_[search.order().front()] = 1;
    for (const std::uint32_t s : search.order()) {
      for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
        const std::uint32_t next = fabric_.channel_head()[c];
        if (distance[next] == distance[s] + 1) paths_[next] += paths_[s];
      }
    }
    return paths_;
  }

 private:
  const Fabric& fabric_;
  std::vector<double> paths_;
};

struct SplitSwitches {
  std::vector<std::uint32_t> with_end_ports;  // most endpoints first, then by SwitchId
  std::vector<std::uint32_t> without;
};

SplitSwitches split_by_end_ports(const Fabric& fabric) {
  SplitSwitches split;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    (fabric.end_ports_of(SwitchId(s)).empty() ? split.without : split.with_end_ports).push_back(s);
  }
  const auto endpoints = fabric.endpoints_per_switch();
  std::stable_sort(
      split.with_end_ports.begin(), split.with_end_ports.end(),
      [endpoints](std::uint32_t a, std::uint32_t b) { return endpoints[a] > endpoints[b]; });
  return split;
}

/// LIDs behind `at` of endpoints, or of the other end ports, at one offset within each port's LID
/// range.
std::vector<Lid> lids_behind(const Fabric& fabric, SwitchId at, bool endpoints, unsigned offset) {
  std::vector<Lid> lids;
  for (const EndPortId e : fabric.end_ports_of(at)) {
    const EndPort& port = fabric.end_port(e);
    if (fabric.is_endpoint(e) != endpoints || port.lid == no_lid || offset >= 1U << port.lmc)
      continue;
    lids.push_back(static_cast<Lid>(port.lid + offset));
  }
  return lids;
}

/// Groups of one offset within the ports' LID ranges, appended to the list.
using AppendGroups = void (*)(const Fabric& fabric, const std::vector<SwitchId>& switches,
                              bool endpoints, unsigned offset,
                              std::vector<DestinationGroup>& groups);

void append_by_switch(const Fabric& fabric, const std::vector<SwitchId>& switches, bool endpoints,
                      unsigned offset, std::vector<DestinationGroup>& groups) {
  for (const SwitchId at : switches) {
    std::vector<Lid> lids = lids_behind(fabric, at, endpoints, offset);
    if (!lids.empty()) groups.push_back({at, std::move(lids)});
  }
}

void append_in_turns(const Fabric& fabric, const std::vector<SwitchId>& switches, bool endpoints,
                     unsigned offset, std::vector<DestinationGroup>& groups) {
  std::vector<std::vector<Lid>> waiting;
  std::size_t rounds = 0;
  for (const SwitchId at : switches) {
    waiting.push_back(lids_behind(fabric, at, endpoints, offset));
    rounds = std::max(rounds, waiting.back().size());
  }
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t k = 0; k < switches.size(); ++k) {
      if (round < waiting[k].size()) groups.push_back({switches[k], {waiting[k][round]}});
    }
  }
}

DestinationOrder order_destinations(const Fabric& fabric, const std::vector<SwitchId>& switches,
                                    AppendGroups append) {
  DestinationOrder order;
  const unsigned offsets = most_lids_of_an_end_port(fabric);
  for (unsigned offset = 0; offset < offsets; ++offset)
    append(fabric, switches, true, offset, order.endpoints);
  for (unsigned offset = 0; offset < offsets; ++offset)
    append(fabric, switches, false, offset, order.others);
  for (const SwitchId at : switches) {
    const Switch& target = fabric.switch_at(at);
    if (target.lid == no_lid) continue;
    std::vector<Lid> lids(std::size_t{1} << target.lmc);
    std::iota(lids.begin(), lids.end(), target.lid);
    order.others.push_back({at, std::move(lids)});
  }
  return order;
}

}  // namespace

std::vector<SwitchId> switches_by_proximity(const Fabric& fabric) {
  const SplitSwitches split = split_by_end_ports(fabric);
  HopDistances search(fabric);
  PathCounts path_counts(fabric);
  std::vector<std::uint32_t> left = split.with_end_ports;
  std::vector<SwitchId> chain;
  while (!left.empty()) {
    std::size_t nearest = 0;
    if (!chain.empty()) {
      search.search(chain.back());
      const std::vector<double>& paths = path_counts.count(search);
      const auto closeness = [&](std::uint32_t s) {
        return std::tuple(search.distance()[s], -paths[s], s);
      };
      for (std::size_t k = 1; k < left.size(); ++k) {
        if (closeness(left[k]) < closeness(left[nearest])) nearest = k;
      }
    }
    chain.emplace_back(left[nearest]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(nearest));
  }
  for (const std::uint32_t s : split.without) chain.emplace_back(s);
  return chain;
}

DestinationOrder destinations_by_switch(const Fabric& fabric,
                                        const std::vector<SwitchId>& switches) {
  return order_destinations(fabric, switches, append_by_switch);
}

DestinationOrder destinations_in_turns(const Fabric& fabric,
                                       const std::vector<SwitchId>& switches) {
  return order_destinations(fabric, switches, append_in_turns);
}

bool is_direct_network(const Fabric& fabric) {
  const auto endpoints = fabric.endpoints_per_switch();
  const auto without = static_cast<std::size_t>(std::count(endpoints.begin(), endpoints.end(), 0U));
  return 2 * without <= fabric.switch_count();
}

}  // namespace pssp
