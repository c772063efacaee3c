#include "routing/engines/parts/counts/destination_order.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>

#include "fabric/lid_counts.h"
#include "fabric/paths/hop_distances.h"

namespace pssp {
namespace {

/// Searches for the nearest remaining switch, and no farther: in a tree, mostly in the current pod.
class NearestSwitches {
 public:
  NearestSwitches(const Fabric& fabric, const std::vector<std::uint32_t>& switches)
      : fabric_(fabric),
        is_left_(fabric.switch_count(), 0),
        hops_(fabric.switch_count(), unreachable_distance),
        paths_(fabric.switch_count()) {
    for (const std::uint32_t s : switches) is_left_[s] = 1;
  }

  void take(std::uint32_t s) { is_left_[s] = 0; }

  /// Of equals the one that most shortest paths lead to, then the lowest; where none can be
  /// reached the lowest of all.
  std::uint32_t nearest_to(std::uint32_t from) {
    for (const std::uint32_t s : reached_) hops_[s] = unreachable_distance;
    reached_.assign(1, from);
    hops_[from] = 0;
    paths_[from] = 1;
    for (std::size_t done = 0; done < reached_.size();) {
      const std::size_t next = reached_.size();
      for (; done < next; ++done) visit_neighbors(reached_[done]);
      if (const auto best = best_from(next)) return *best;
    }
    const auto any = std::find(is_left_.begin(), is_left_.end(), 1);
    return static_cast<std::uint32_t>(any - is_left_.begin());
  }

 private:
  void visit_neighbors(std::uint32_t s) {
    for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
      const std::uint32_t next = fabric_.channel_head()[c];
      if (hops_[next] == unreachable_distance) {
        hops_[next] = hops_[s] + 1;
        paths_[next] = 0;
        reached_.push_back(next);
      }
      if (hops_[next] == hops_[s] + 1) paths_[next] += paths_[s];
    }
  }

  /// Among those reached from this place on.
  std::optional<std::uint32_t> best_from(std::size_t place) const {
    std::optional<std::uint32_t> best;
    for (; place < reached_.size(); ++place) {
      const std::uint32_t s = reached_[place];
      if (is_left_[s] == 0) continue;
      if (!best || std::tuple(-paths_[s], s) < std::tuple(-paths_[*best], *best)) best = s;
    }
    return best;
  }

  const Fabric& fabric_;
  std::vector<std::uint8_t> is_left_;  // by SwitchId, as below
  std::vector<std::uint32_t> hops_;
  std::vector<double> paths_;           // shortest ones; there may be more than 2^64
  std::vector<std::uint32_t> reached_;  // nearest first
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

void append_round_robin(const Fabric& fabric, const std::vector<SwitchId>& switches, bool endpoints,
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
  NearestSwitches nearest(fabric, split.with_end_ports);
  std::vector<SwitchId> chain;
  chain.reserve(fabric.switch_count());
  for (std::size_t k = 0; k < split.with_end_ports.size(); ++k) {
    chain.emplace_back(k == 0 ? split.with_end_ports.front()
                              : nearest.nearest_to(chain.back().value()));
    nearest.take(chain.back().value());
  }
  for (const std::uint32_t s : split.without) chain.emplace_back(s);
  return chain;
}

DestinationOrder destinations_by_switch(const Fabric& fabric,
                                        const std::vector<SwitchId>& switches) {
  return order_destinations(fabric, switches, append_by_switch);
}

DestinationOrder destinations_round_robin(const Fabric& fabric,
                                          const std::vector<SwitchId>& switches) {
  return order_destinations(fabric, switches, append_round_robin);
}

bool is_direct_network(const Fabric& fabric) {
  const auto endpoints = fabric.endpoints_per_switch();
  const auto without = static_cast<std::size_t>(std::count(endpoints.begin(), endpoints.end(), 0U));
  return 2 * without <= fabric.switch_count();
}

}  // namespace pssp
