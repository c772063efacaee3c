// For one destination, the tables are a tree, before and after (DestinationTree). In a traversal of
// the old tree from its root, a switch's path is unchanged if and only if its entry and cable are
// unchanged and the path from the cable's other end is unchanged. So a destination takes one pass
// over the switches, and sources are processed in groups.

#include "evaluator/rerouting/flow_changes.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "fabric/tables/destination_tree.h"

namespace pssp {
namespace {

constexpr std::uint32_t no_route = std::numeric_limits<std::uint32_t>::max();

/// Flows from one group of hosts to one destination.
struct GroupFlows {
  std::uint32_t group = 0;
  FlowTally tally;
};

/// The tree of one destination in one state.
class DestinationState {
 public:
  explicit DestinationState(const RoutedState& state)
      : state_(state),
        tree_(state.fabric),
        hops_(state.fabric.switch_count()),
        flows_(state.fabric.switch_count()),
        loads_(state.fabric.channel_count(), 0) {}

  /// no_lid: the destination does not exist, and no route leads to it.
  void read(Lid lid) {
    lid_ = lid;
    std::ranges::fill(hops_, no_route);
    std::ranges::fill(flows_, std::uint64_t{0});
    if (lid == no_lid) return;
    tree_.read(state_.tables, lid);
    for (std::size_t i = tree_.upstream_first().size(); i > 0; --i) {
      const std::uint32_t s = tree_.upstream_first()[i - 1];
      const std::uint32_t out = tree_.out_channel()[s];
      hops_[s] =
          out == DestinationTree::no_channel ? 0 : hops_[state_.fabric.channel_head()[out]] + 1;
    }
  }
  std::span<const std::uint32_t> upstream_first() const {
    return lid_ == no_lid ? std::span<const std::uint32_t>() : tree_.upstream_first();
  }
  std::uint32_t out_channel(std::uint32_t s) const { return tree_.out_channel()[s]; }
  std::uint32_t hops(SwitchId s) const { return s.valid() ? hops_[s.value()] : no_route; }
  PortNumber entry(std::uint32_t s) const { return state_.entry(s, lid_); }
  ServiceLevel level(SwitchId s) const {
    if (state_.levels == nullptr || lid_ > state_.levels->max_lid()) return 0;
    return state_.levels->at(s, lid_);
  }

  void add_flows(SwitchId from, std::uint64_t flows) {
    if (hops(from) != no_route) flows_[from.value()] += flows;
  }
  /// Sends the added flows to their destination.
  void send_flows() {
    for (const std::uint32_t s : upstream_first()) {
      const std::uint32_t out = tree_.out_channel()[s];
      if (out == DestinationTree::no_channel) continue;
      loads_[out] += flows_[s];
      flows_[state_.fabric.channel_head()[out]] += flows_[s];
    }
  }
  std::span<const std::uint64_t> loads() const { return loads_; }

 private:
  const RoutedState& state_;
  DestinationTree tree_;
  Lid lid_ = no_lid;
  std::vector<std::uint32_t> hops_;   // by switch; no_route: packets do not arrive
  std::vector<std::uint64_t> flows_;  // by switch, for this destination
  std::vector<std::uint64_t> loads_;  // by channel, of all destinations so far
};

class RouteComparison {
 public:
  RouteComparison(const FabricChange& change, const RoutedState& before, const RoutedState& after,
                  const PatternLevels* traffic)
      : change_(change),
        has_bytes_(traffic != nullptr),
        before_(before),
        after_(after),
        same_(before.fabric.switch_count()) {
    if (traffic != nullptr) sort_by_destination(*traffic);
  }

  RouteChanges run() {
    for (std::uint32_t h = 0; h < change_.hosts().size(); ++h) {
      has_bytes_ ? compare_traffic_to(h) : compare_all_to(h);
    }
    collect_loads();
    return std::move(changes_);
  }

 private:
  void sort_by_destination(const PatternLevels& traffic) {
    first_.assign(change_.hosts().size() + 1, 0);
    for (const Flow& flow : traffic.flows) ++first_[flow.destination + 1];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    by_destination_.resize(traffic.flows.size());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t i = 0; i < traffic.flows.size(); ++i) {
      const Flow flow = traffic.flows[i];
      by_destination_[next[flow.destination]++] = {change_.hosts()[flow.source].group,
                                                   {1, traffic.bytes[i]}};
    }
  }

  static Lid lid_of(const Fabric& fabric, EndPortId e, unsigned offset) {
    if (!e.valid()) return no_lid;
    const EndPort& port = fabric.end_port(e);
    return offset < 1U << port.lmc ? static_cast<Lid>(port.lid + offset) : no_lid;
  }
  void read(const HostChange& host, unsigned offset) {
    before_.read(lid_of(change_.before(), host.before, offset));
    after_.read(lid_of(change_.after(), host.after, offset));
    find_same();
  }

  void compare_all_to(std::uint32_t h) {
    const HostChange& host = change_.hosts()[h];
    for (unsigned offset = 0; offset < 1U << max_lmc; ++offset) {
      if (lid_of(change_.before(), host.before, offset) == no_lid &&
          lid_of(change_.after(), host.after, offset) == no_lid) {
        break;
      }
      read(host, offset);
      for (std::uint32_t g = 0; g < change_.groups().size(); ++g) {
        const std::uint32_t senders = change_.groups()[g].hosts - (g == host.group ? 1 : 0);
        if (senders != 0) count(g, {senders, 0}, senders);
      }
      before_.send_flows();
      after_.send_flows();
    }
  }

  void compare_traffic_to(std::uint32_t h) {
    if (first_[h] == first_[h + 1]) return;
    read(change_.hosts()[h], 0);
    for (std::size_t i = first_[h]; i < first_[h + 1]; ++i) {
      const GroupFlows& flows = by_destination_[i];
      count(flows.group, flows.tally, flows.tally.bytes);
    }
    before_.send_flows();
    after_.send_flows();
  }

  void find_same() {
    std::ranges::fill(same_, std::uint8_t{0});
    const std::span<const std::uint32_t> order = before_.upstream_first();
    for (std::size_t i = order.size(); i > 0; --i) {
      const std::uint32_t s = order[i - 1];
      const std::uint32_t now = change_.switch_after()[s];
      if (now == FabricChange::gone || after_.hops(SwitchId(now)) == no_route) continue;
      if (before_.entry(s) != after_.entry(now)) continue;
      const std::uint32_t out = before_.out_channel(s);
      if (out == DestinationTree::no_channel) {
        same_[s] = after_.out_channel(now) == DestinationTree::no_channel;
      } else {
        same_[s] = change_.channel_after()[out] == after_.out_channel(now) &&
                   same_[change_.before().channel_head()[out]] != 0;
      }
    }
  }

  void count(std::uint32_t g, const FlowTally& tally, std::uint64_t load) {
    const HostGroup& group = change_.groups()[g];
    FlowChanges& flows = changes_.flows;
    const std::uint32_t was = before_.hops(group.before);
    const std::uint32_t is = after_.hops(group.after);
    flows.all.add(tally);
    before_.add_flows(group.before, load);
    after_.add_flows(group.after, load);
    if (was == no_route || is == no_route) {
      (was != no_route ? flows.lost : is != no_route ? flows.gained : flows.unrouted).add(tally);
      return;
    }
    // A host that moved to another port has another path, even with unchanged tables.
    const bool stays = change_.switch_after()[group.before.value()] == group.after.value();
    const bool is_same = stays && same_[group.before.value()] != 0;
    (is_same ? flows.same : flows.moved).add(tally);
    if (is > was) flows.longer.add(tally);
    if (before_.level(group.before) != after_.level(group.after)) flows.lane.add(tally);
  }

  void add_load(const ChannelLoadChange& each) {
    LoadChanges& loads = changes_.loads;
    ++loads.channels;
    loads.largest_before = std::max(loads.largest_before, each.load_before);
    loads.largest_after = std::max(loads.largest_after, each.load_after);
    if (difference(each) * 4 > each.load_before) loads.changed.push_back(each);
  }
  static std::uint64_t difference(const ChannelLoadChange& each) {
    return std::max(each.load_before, each.load_after) -
           std::min(each.load_before, each.load_after);
  }

  void collect_loads() {
    std::vector<std::uint8_t> is_known(change_.after().channel_count(), 0);
    for (std::uint32_t c = 0; c < change_.before().channel_count(); ++c) {
      ChannelLoadChange each{ChannelId(c), ChannelId(), before_.loads()[c], 0};
      const std::uint32_t now = change_.channel_after()[c];
      if (now != FabricChange::gone) {
        is_known[now] = 1;
        each.after = ChannelId(now);
        each.load_after = after_.loads()[now];
      }
      add_load(each);
    }
    for (std::uint32_t c = 0; c < is_known.size(); ++c) {
      if (is_known[c] == 0) add_load({ChannelId(), ChannelId(c), 0, after_.loads()[c]});
    }
    std::ranges::stable_sort(changes_.loads.changed, std::ranges::greater(), difference);
  }

  const FabricChange& change_;
  bool has_bytes_;
  DestinationState before_, after_;
  std::vector<std::uint8_t> same_;  // by old switch: its path is unchanged
  std::vector<std::size_t> first_;  // by host, into by_destination_
  std::vector<GroupFlows> by_destination_;
  RouteChanges changes_;
};

}  // namespace

RouteChanges route_changes(const FabricChange& change, const RoutedState& before,
                           const RoutedState& after, const PatternLevels* traffic) {
  return RouteComparison(change, before, after, traffic).run();
}

}  // namespace pssp
