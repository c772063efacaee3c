// Distances are those of the tables' routes, not of minimal paths: then the table port is in its
// group for any engine, and no two switches can send a packet back and forth, one by its table and
// the other by a shorter path. If all routes are minimal, both distances are equal.
//
// There are few distinct groups: each is stored once per switch, which improves cache use.

#include "simulator/adaptive/adaptive_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "base/error.h"
#include "base/no_index.h"
#include "fabric/paths/hop_distances.h"
#include "routing/verify/channel_dependencies.h"

namespace pssp {
namespace {

/// Calls visit(LID) for the LIDs of all senders and receivers, ascending.
template <class Visit>
void for_each_lid_of_hosts(const Fabric& fabric, const Visit& visit) {
  for (const Lid lid : fabric.lids()) {
    if (fabric.is_endpoint_lid(lid)) visit(lid);
  }
}

/// All next channels of packets to a LID at a switch, if the table entry leads to a switch; at
/// least one channel.
class NextChannels {
 public:
  explicit NextChannels(const AdaptiveGroups& groups) : groups_(groups) {}

  std::span<const std::uint32_t> of(std::uint32_t node, Lid lid) {
    const auto channels = groups_.channels(node, lid);
    if (!channels.empty()) return channels;
    alone_ = groups_.channel_of_tables(node, lid);
    return {&alone_, alone_ == no_index ? 0U : 1U};
  }

 private:
  const AdaptiveGroups& groups_;
  std::uint32_t alone_ = no_index;
};

/// Checks the paths to one LID from their end: a switch is done when all its next switches are
/// done. A switch that is never done is on a cycle or leads to one.
class ArrivalCheck {
 public:
  explicit ArrivalCheck(const AdaptiveGroups& groups)
      : groups_(groups), fabric_(groups.fabric()), left_(fabric_.switch_count()) {}

  void check(Lid lid) {
    hops_of_routes(fabric_, groups_.tables(), lid, hops_);
    std::vector<std::uint32_t> done;
    for (std::uint32_t node = 0; node < left_.size(); ++node) {
      left_[node] = 0;
      if (hops_[node] == unreachable_distance) continue;
      if (hops_[node] == 0) done.push_back(node);
      const auto channels = groups_.channels(node, lid);
      left_[node] = static_cast<std::uint32_t>(
          std::max<std::size_t>(channels.size(), hops_[node] != 0 ? 1 : 0));
      for (const std::uint32_t channel : channels) require_route(node, channel, lid);
    }
    for (std::size_t i = 0; i < done.size(); ++i) finish(done[i], lid, done);
    for (std::uint32_t node = 0; node < left_.size(); ++node) {
      if (hops_[node] != unreachable_distance && left_[node] != 0) refuse_cycle(node, lid);
    }
  }

 private:
  bool is_next_hop(std::uint32_t node, std::uint32_t channel, Lid lid) const {
    const auto channels = groups_.channels(node, lid);
    if (channels.empty()) return groups_.channel_of_tables(node, lid) == channel;
    return std::ranges::find(channels, channel) != channels.end();
  }

  void finish(std::uint32_t node, Lid lid, std::vector<std::uint32_t>& done) {
    for (std::uint32_t out = fabric_.first_channel()[node]; out < fabric_.first_channel()[node + 1];
         ++out) {
      const std::uint32_t in = fabric_.channel_reverse()[out];
      const std::uint32_t tail = fabric_.channel_tail()[in];
      if (hops_[tail] == unreachable_distance || hops_[tail] == 0 || !is_next_hop(tail, in, lid))
        continue;
      if (--left_[tail] == 0) done.push_back(tail);
    }
  }

  void require_route(std::uint32_t node, std::uint32_t channel, Lid lid) const {
    const std::uint32_t head = fabric_.channel_head()[channel];
    if (hops_[head] != unreachable_distance) return;
    throw Error(ErrorKind::verification_failed,
                fmt::format("the group of switch {} for LID {} has port {} to switch {}, but that "
                            "switch has no route to the LID; leave the port out",
                            fabric_.label(SwitchId(node)), lid, fabric_.channel_out_port()[channel],
                            fabric_.label(SwitchId(head))));
  }

  [[noreturn]] void refuse_cycle(std::uint32_t node, Lid lid) const {
    throw Error(ErrorKind::verification_failed,
                fmt::format("the ports of the groups let packets for LID {} run in a cycle through "
                            "switch {}; leave out ports that lead away from the LID",
                            lid, fabric_.label(SwitchId(node))));
  }

  const AdaptiveGroups& groups_;
  const Fabric& fabric_;
  std::vector<std::uint32_t> hops_, left_;  // by SwitchId; left_: channels to unfinished switches
};

}  // namespace

void hops_of_routes(const Fabric& fabric, const ForwardingTables& tables, Lid lid,
                    std::vector<std::uint32_t>& hops) {
  constexpr std::uint32_t unknown = unreachable_distance - 1;
  constexpr std::uint32_t passed_by = unreachable_distance - 2;
  hops.assign(fabric.switch_count(), unknown);
  const Delivery end = fabric.delivery(lid);
  std::vector<std::uint32_t> passed;
  for (std::uint32_t node = 0; node < hops.size(); ++node) {
    std::uint32_t at = node;
    while (hops[at] == unknown) {
      hops[at] = passed_by;
      passed.push_back(at);
      const PortNumber port = lid < tables.width() ? tables.at(SwitchId(at), lid) : no_port;
      if (end.at == SwitchId(at) && port == end.port) {
        hops[at] = 0;
        passed.pop_back();
        break;
      }
      const PortTarget next = fabric.behind(SwitchId(at), port);
      if (port == no_port || next.kind != PortTarget::Kind::channel) break;
      at = fabric.channel_head()[next.index];
    }
    // An unresolved switch of this traversal is on a cycle, or has no port.
    std::uint32_t count = hops[at] == passed_by ? unreachable_distance : hops[at];
    for (; !passed.empty(); passed.pop_back()) {
      if (count != unreachable_distance) ++count;
      hops[passed.back()] = count;
    }
  }
}

AdaptiveGroups::AdaptiveGroups(const Fabric& fabric, const ForwardingTables& tables)
    : fabric_(fabric),
      tables_(tables),
      width_(std::size_t{fabric.max_lid()} + 1),
      numbers_(fabric.switch_count() * width_),
      groups_(1),
      known_(fabric.switch_count()) {
  if (tables.switch_count() == fabric.switch_count()) return;
  throw Error(ErrorKind::mismatch, fmt::format("the tables are for {} switches, but the fabric has "
                                               "{}; specify the tables of this fabric",
                                               tables.switch_count(), fabric.switch_count()));
}

std::uint32_t AdaptiveGroups::channel_of_tables(std::uint32_t node, Lid lid) const noexcept {
  const PortNumber port = lid < tables_.width() ? tables_.at(SwitchId(node), lid) : no_port;
  if (port == no_port) return no_index;
  const PortTarget target = fabric_.behind(SwitchId(node), port);
  return target.kind == PortTarget::Kind::channel ? target.index : no_index;
}

void AdaptiveGroups::set(std::uint32_t node, Lid lid, const Members& members) {
  std::uint32_t& number = numbers_[node * width_ + lid];
  number = 0;
  int count = 0;
  for (const std::uint64_t word : members) count += std::popcount(word);
  if (count < 2) return;
  const auto [found, is_new] =
      known_[node].try_emplace(members, static_cast<std::uint32_t>(groups_.size()));
  number = found->second;
  if (!is_new) return;
  groups_.push_back(
      {static_cast<std::uint32_t>(channels_.size()), static_cast<std::uint32_t>(count)});
  for (std::uint32_t channel = fabric_.first_channel()[node];
       channel < fabric_.first_channel()[node + 1]; ++channel) {
    if (has(members, channel - fabric_.first_channel()[node])) channels_.push_back(channel);
  }
  std::ranges::sort(channels_.begin() + groups_.back().first, channels_.end(), {},
                    [&](std::uint32_t c) { return fabric_.channel_out_port()[c]; });
}

AdaptiveGroups minimal_groups(const Fabric& fabric, const ForwardingTables& tables) {
  AdaptiveGroups groups(fabric, tables);
  std::vector<std::uint32_t> hops;
  for_each_lid_of_hosts(fabric, [&](Lid lid) {
    hops_of_routes(fabric, tables, lid, hops);
    for (std::uint32_t node = 0; node < fabric.switch_count(); ++node) {
      if (hops[node] == 0 || hops[node] == unreachable_distance) continue;
      const std::uint32_t first = fabric.first_channel()[node];
      AdaptiveGroups::Members members{};
      for (std::uint32_t channel = first; channel < fabric.first_channel()[node + 1]; ++channel) {
        if (hops[fabric.channel_head()[channel]] + 1 != hops[node]) continue;
        AdaptiveGroups::add(members, channel - first);
      }
      groups.set(node, lid, members);
    }
  });
  return groups;
}

void require_arrival(const AdaptiveGroups& groups) {
  ArrivalCheck arrival(groups);
  for_each_lid_of_hosts(groups.fabric(), [&](Lid lid) { arrival.check(lid); });
}

std::vector<ChannelId> credit_loop(const AdaptiveGroups& groups) {
  const Fabric& fabric = groups.fabric();
  ChannelDependencies dependencies(fabric);
  NextChannels next(groups), behind(groups);
  std::vector<char> is_reached;
  for_each_lid_of_hosts(fabric, [&](Lid lid) {
    std::vector<std::uint32_t> reached;
    is_reached.assign(fabric.switch_count(), 0);
    for (std::uint32_t node = 0; node < fabric.switch_count(); ++node) {
      if (fabric.endpoints_per_switch()[node] == 0) continue;
      is_reached[node] = 1;
      reached.push_back(node);
    }
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const std::uint32_t channel : next.of(reached[i], lid)) {
        const std::uint32_t head = fabric.channel_head()[channel];
        for (const std::uint32_t waited_for : behind.of(head, lid)) {
          dependencies.add(ChannelId(channel), ChannelId(waited_for));
        }
        if (std::exchange(is_reached[head], 1) == 0) reached.push_back(head);
      }
    }
  });
  return dependencies.find_cycle();
}

}  // namespace pssp
