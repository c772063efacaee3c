// Each flow is followed through the tables once: the channels of its way are written one after the
// other into a buffer, and loaded. A second walk over the buffer finds the most loaded channel of
// each flow, and a third empties the loads, so that a phase of few flows costs little on a large
// fabric.

#include "routing/portfolio/flow_follower.h"

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
      load_(fabric.channel_count(), 0) {
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
  for (const HostFlow& flow : flows) {
    if (!follow_parts(flow)) continue;
    ++sent_[flow.from];
    ++received_[flow.to];
  }
  PhaseTime time;
  std::size_t begin = 0;
  auto way = ways_.begin();
  for (const HostFlow& flow : flows) {
    const std::uint32_t lids = ends_[flow.to].lids;
    const double at_ends = congestion_at_ends(flow);
    double rate = 0;
    double largest = 0;
    std::uint32_t arrived = 0;
    for (std::uint32_t k = 0; k < lids; ++k, ++way) {
      if (!way->arrives) continue;
      const double congestion = congestion_of(*way, begin, at_ends);
      begin = way->end;
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
  ways_.clear();
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

/// To all LIDs that it uses; whether any part of it arrives.
bool FlowFollower::follow_parts(const HostFlow& flow) {
  const End& to = ends_[flow.to];
  bool arrives = false;
  for (std::uint32_t k = 0; k < to.lids; ++k) {
    arrives |= follow(ends_[flow.from], to, to.lid + k);
  }
  return arrives;
}

/// On the links of source and destination.
double FlowFollower::congestion_at_ends(const HostFlow& flow) const {
  return std::max(sent_[flow.from] * ends_[flow.from].cost,
                  received_[flow.to] * ends_[flow.to].cost);
}

double FlowFollower::congestion_of(const Way& way, std::size_t begin, double at_ends) const {
  if (is_uniform_) {
    std::uint64_t largest = 0;
    for (std::size_t i = begin; i < way.end; ++i) largest = std::max(largest, load_[channels_[i]]);
    return std::max(at_ends, static_cast<double>(largest) / units_);
  }
  double congestion = at_ends;
  for (std::size_t i = begin; i < way.end; ++i) {
    const double load = static_cast<double>(load_[channels_[i]]) / units_;
    congestion = std::max(congestion, load * fabric_.channel_cost()[channels_[i]]);
  }
  return congestion;
}

bool FlowFollower::follow(const End& from, const End& to, std::uint32_t lid) {
  const std::size_t begin = channels_.size();
  if (lid > tables_.max_lid()) {
    ways_.push_back({false, begin});
    return false;
  }
  const PortNumber* const column = tables_.entries().data() + lid;
  std::uint32_t at = from.at;
  // A way that visits more switches than there are is a loop.
  for (std::size_t hops = 0; hops <= fabric_.switch_count(); ++hops) {
    const PortNumber port = column[at * tables_.width()];
    if (at == to.at && port == to.port) {
      for (std::size_t i = begin; i < channels_.size(); ++i) load_[channels_[i]] += to.part;
      ways_.push_back({true, channels_.size()});
      return true;
    }
    if (port >= ports_) break;
    const Behind next = behind_[at * ports_ + port];
    if (next.channel == no_index) break;
    channels_.push_back(next.channel);
    at = next.head;
  }
  channels_.resize(begin);
  ways_.push_back({false, begin});
  return false;
}

}  // namespace pssp
