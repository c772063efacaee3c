// Ignores loads: from a leaf to the hosts of another leaf, all uplinks are used before one is used
// twice. The order of leaves matters only for the last ones, which find the upper switches in the
// middle of a round; this harms large leaves most, so they come first.

#include "routing/engines/parts/trees/round_robin.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "fabric/paths/hop_distances.h"
#include "fabric/paths/up_down_distances.h"
#include "routing/engines/parts/counts/destination_order.h"

namespace pssp {
namespace {

template <class Distances>
class RoundRobin {
 public:
  RoundRobin(const Fabric& fabric, Distances distances, const StopSignal& stop)
      : fabric_(fabric),
        distances_(std::move(distances)),
        stop_(stop),
        tables_(fabric.switch_count(), fabric.max_lid()),
        left_by_(fabric.channel_count(), 0),
        first_candidate_(fabric.switch_count(), 0),
        end_candidate_(fabric.switch_count(), 0) {}

  ForwardingTables run() {
    DestinationOrder order = destinations_by_switch(fabric_, switches_by_proximity(fabric_));
    std::stable_sort(order.endpoints.begin(), order.endpoints.end(),
                     [&](const DestinationGroup& a, const DestinationGroup& b) {
                       return round_and_size(a) < round_and_size(b);
                     });
    route(order.endpoints);
    route(order.others);
    return std::move(tables_);
  }

 private:
  /// With LMC > 0 the first LIDs come before all second ones.
  std::pair<std::uint32_t, std::int64_t> round_and_size(const DestinationGroup& group) const {
    const EndPortId owner(fabric_.owner(group.lids.front()).index);
    return {group.lids.front() - fabric_.end_port(owner).lid,
            -std::int64_t{fabric_.endpoints_per_switch()[group.at.value()]}};
  }

  void route(const std::vector<DestinationGroup>& groups) {
    for (const DestinationGroup& group : groups) {
      stop_.check("round-robin routing");
      distances_.search(group.at);
      gather_candidates();
      for (const Lid lid : group.lids) route(lid);
    }
  }

  void gather_candidates() {
    const auto first = fabric_.first_channel();
    candidates_.clear();
    for (const std::uint32_t s : distances_.order()) {
      first_candidate_[s] = candidates_.size();
      for (std::uint32_t c = first[s]; c < first[s + 1]; ++c) {
        if (distances_.is_next_hop(s, c)) candidates_.push_back(c);
      }
      end_candidate_[s] = candidates_.size();
    }
  }

  void route(Lid lid) {
    for (const std::uint32_t s : distances_.order().subspan(1)) {
      std::uint32_t best = candidates_[first_candidate_[s]];
      for (std::size_t i = first_candidate_[s] + 1; i < end_candidate_[s]; ++i) {
        if (left_by_[candidates_[i]] < left_by_[best]) best = candidates_[i];
      }
      ++left_by_[best];
      tables_.set(SwitchId(s), lid, fabric_.channel_out_port()[best]);
    }
    const Delivery delivery = fabric_.delivery(lid);
    tables_.set(delivery.at, lid, delivery.port);
  }

  const Fabric& fabric_;
  Distances distances_;
  const StopSignal& stop_;
  ForwardingTables tables_;
  std::vector<std::uint32_t> left_by_;  // destinations, by ChannelId
  std::vector<std::uint32_t> candidates_;
  std::vector<std::size_t> first_candidate_, end_candidate_;  // by SwitchId
};

}  // namespace

ForwardingTables route_round_robin(const Fabric& fabric, const UpDownOrder* order,
                                   const StopSignal& stop) {
  if (order != nullptr) return RoundRobin(fabric, UpDownDistances(fabric, *order), stop).run();
  return RoundRobin(fabric, HopDistances(fabric), stop).run();
}

}  // namespace pssp
