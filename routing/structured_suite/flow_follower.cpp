// Each flow is followed through the tables once: the channels of its path are appended to a buffer
// and loaded. A second pass over the buffer finds the most loaded channel of each flow. A third
// pass clears the loads, so that a phase with few flows takes little time on a large fabric.
//
// The next switch of a path is known only when its table entry has been read from memory, and the
// tables of a large fabric exceed the caches of a core. Several paths are therefore followed in
// turn, one step each, so that their memory accesses overlap.

#include "routing/structured_suite/flow_follower.h"

#include <algorithm>

#include "base/no_index.h"

namespace pssp {
FlowFollower::FlowFollower(const Fabric& fabric, const ForwardingTables& tables,
                           const std::vector<EndPortId>& hosts, const LidUse& use)
    : fabric_(fabric),
      tables_(tables),
      is_free_(use.striping == Striping::free),
      units_(static_cast<double>(units_of_a_flow(use.lids))),
      is_uniform_(
          std::ranges::all_of(fabric.channel_cost(), [](double cost) { return cost == 1; })),
      load_(fabric.channel_count(), 0),
      most_hops_(fabric.switch_count() + 1),
      walked_(side_by_side * most_hops_) {
  index_ports();
  for (const EndPortId e : hosts) {
    const EndPort& port = fabric.end_port(e);
    const std::uint32_t lids = lids_in_use(use, port.lmc);
    ends_.push_back({port.attached.value(), port.lid, port.switch_port, lids,
                     units_of_a_flow(use.lids) / lids, fabric.end_port_cost(e)});
  }
  sent_.assign(hosts.size(), 0);
  received_.assign(hosts.size(), 0);
}

PhaseTime FlowFollower::follow(std::span<const HostFlow> flows) {
  find_paths(flows);
  count_at_ends(flows);
  PhaseTime time;
  std::size_t begin = 0;
  auto path = paths_.begin();
  for (const HostFlow& flow : flows) {
    const std::uint32_t lids = ends_[flow.to].lids;
    const double at_ends = congestion_at_ends(flow);
    double rate = 0;
    double largest = 0;
    std::uint32_t arrived = 0;
    for (std::uint32_t k = 0; k < lids; ++k, ++path) {
      if (!path->arrives) continue;
      const double congestion = congestion_of(*path, begin, at_ends);
      begin = path->end;
      ++arrived;
      rate += 1 / congestion;
      largest = std::max(largest, congestion);
    }
    if (arrived == 0 || (!is_free_ && arrived < lids)) continue;
    const double congestion = is_free_ && lids > 1 ? lids / rate : largest;
    ++time.routed;
    time.largest = std::max(time.largest, congestion);
    time.sum += congestion;
    time.bandwidth += 1 / congestion;
  }
  for (const HostFlow& flow : flows) sent_[flow.from] = received_[flow.to] = 0;
  for (const std::uint32_t channel : channels_) load_[channel] = 0;
  channels_.clear();
  paths_.clear();
  return time;
}

void FlowFollower::index_ports() {
  for (const PortNumber port : fabric_.channel_out_port()) {
    ports_ = std::max<std::size_t>(ports_, std::size_t{port} + 1);
  }
  behind_.assign(fabric_.switch_count() * ports_, {no_index, no_index});
  for (std::uint32_t c = 0; c < fabric_.channel_count(); ++c) {
    behind_[fabric_.channel_tail()[c] * ports_ + fabric_.channel_out_port()[c]] = {
        c, fabric_.channel_head()[c]};
  }
}

/// For all parts of all flows, in the order of the flows.
void FlowFollower::find_paths(std::span<const HostFlow> flows) {
  std::size_t count = 0;
  for (const HostFlow& flow : flows) {
    const End& to = ends_[flow.to];
    for (std::uint32_t k = 0; k < to.lids; ++k) {
      const std::uint32_t lid = to.lid + k;
      const bool is_known = lid <= tables_.max_lid();
      const PortNumber* const entries = is_known ? tables_.entries().data() + lid : nullptr;
      walks_[count++] = {entries, &to, ends_[flow.from].at, 0, is_known, false};
      if (count < side_by_side) continue;
      take_walks(count);
      count = 0;
    }
  }
  take_walks(count);
}

/// Follows the first `count` walks to their ends.
void FlowFollower::take_walks(std::size_t count) {
  const std::span<Walk> walks = std::span(walks_).first(count);
  for (bool any = true; any;) {
    any = false;
    std::uint32_t* channels = walked_.data();
    for (Walk& walk : walks) {
      any |= step(walk, channels);
      channels += most_hops_;
    }
  }
  const std::uint32_t* channels = walked_.data();
  for (const Walk& walk : walks) {
    if (walk.arrives) {
      for (const std::uint32_t channel : std::span(channels, walk.hops)) {
        load_[channel] += walk.to->part;
        channels_.push_back(channel);
      }
    }
    paths_.push_back({walk.arrives, channels_.size()});
    channels += most_hops_;
  }
}

/// Takes one step, and returns whether another step may follow.
bool FlowFollower::step(Walk& walk, std::uint32_t* channels) const {
  if (!walk.goes_on) return false;
  walk.goes_on = false;
  const PortNumber port = walk.entries[walk.at * tables_.width()];
  if (walk.at == walk.to->at && port == walk.to->port) {
    walk.arrives = true;
    return false;
  }
  if (port >= ports_ || walk.hops == most_hops_) return false;
  const Behind next = behind_[walk.at * ports_ + port];
  if (next.channel == no_index) return false;
  channels[walk.hops++] = next.channel;
  walk.at = next.head;
  walk.goes_on = true;
  return true;
}

/// Counts flows of which at least one part arrives.
void FlowFollower::count_at_ends(std::span<const HostFlow> flows) {
  auto path = paths_.begin();
  for (const HostFlow& flow : flows) {
    bool arrives = false;
    for (std::uint32_t k = 0; k < ends_[flow.to].lids; ++k, ++path) arrives |= path->arrives;
    if (!arrives) continue;
    ++sent_[flow.from];
    ++received_[flow.to];
  }
}

/// Congestion on the links of source and destination.
double FlowFollower::congestion_at_ends(const HostFlow& flow) const {
  return std::max(sent_[flow.from] * ends_[flow.from].cost,
                  received_[flow.to] * ends_[flow.to].cost);
}

double FlowFollower::congestion_of(const PathChoice& path, std::size_t begin,
                                   double at_ends) const {
  if (is_uniform_) {
    std::uint64_t largest = 0;
    for (std::size_t i = begin; i < path.end; ++i) largest = std::max(largest, load_[channels_[i]]);
    return std::max(at_ends, static_cast<double>(largest) / units_);
  }
  double congestion = at_ends;
  for (std::size_t i = begin; i < path.end; ++i) {
    const double load = static_cast<double>(load_[channels_[i]]) / units_;
    congestion = std::max(congestion, load * fabric_.channel_cost()[channels_[i]]);
  }
  return congestion;
}

}  // namespace pssp
