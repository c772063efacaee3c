#include "monitor/analysis/flow_routes.h"

#include <algorithm>

namespace pssp {
namespace {

constexpr double mbits_where_none_is_stated = 8'000;  // 4xSDR

/// Seconds for one byte on a link with cost 1.
double seconds_a_byte(const Fabric& fabric) {
  const double mbits = fabric.reference_capacity() == 0
                           ? mbits_where_none_is_stated
                           : static_cast<double>(fabric.reference_capacity());
  return 8 / (mbits * 1e6);
}

}  // namespace

FlowRoutes::FlowRoutes(const Fabric& fabric, const ForwardingTables& tables,
                       std::span<const WeightedFlow> flows) {
  first_hop_.reserve(flows.size() + 1);
  arrives_.reserve(flows.size());
  for (const WeightedFlow& flow : flows) {
    const EndPortId destination = fabric.endpoints()[flow.destination];
    const Lid lid = fabric.end_port(destination).lid;
    const std::size_t begin = hops_.size(), longest = begin + fabric.switch_count();
    SwitchId at = fabric.end_port(fabric.endpoints()[flow.source]).attached;
    bool arrives = false;
    while (!arrives && at.valid() && lid <= tables.max_lid()) {
      const PortTarget next = fabric.behind(at, tables.at(at, lid));
      arrives = next.kind == PortTarget::Kind::end_port && next.index == destination.value();
      if (next.kind != PortTarget::Kind::channel || hops_.size() == longest) break;
      hops_.push_back(next.index);
      at = SwitchId(fabric.channel_head()[next.index]);
    }
    if (!arrives) {
      hops_.resize(begin);
      ++lost_;
    }
    arrives_.push_back(arrives ? 1 : 0);
    first_hop_.push_back(hops_.size());
  }
}

CarryTimes carry_times(const Fabric& fabric, std::span<const WeightedFlow> flows,
                       const FlowRoutes& routes, std::span<const double> bytes) {
  CarryTimes times;
  times.channels.assign(fabric.channel_count(), 0);
  std::vector<double>& sent = times.sent;
  std::vector<double>& received = times.received;
  sent.assign(fabric.endpoints().size(), 0);
  received = sent;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    if (!routes.arrives(i)) continue;
    for (const std::uint32_t channel : routes.path(i)) times.channels[channel] += bytes[i];
    sent[flows[i].source] += bytes[i];
    received[flows[i].destination] += bytes[i];
  }
  const double a_byte = seconds_a_byte(fabric);
  times.seconds_a_byte = a_byte;
  for (std::uint32_t c = 0; c < times.channels.size(); ++c) {
    times.channels[c] *= a_byte * fabric.channel_cost()[c];
    if (times.channels[c] > times.most) {
      times.most = times.channels[c];
      times.busiest = c;
    }
  }
  for (std::uint32_t rank = 0; rank < sent.size(); ++rank) {
    const double cost = a_byte * fabric.end_port_cost(fabric.endpoints()[rank]);
    sent[rank] *= cost;
    received[rank] *= cost;
  }
  double all = 0;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    if (!routes.arrives(i)) continue;
    double longest = std::max(sent[flows[i].source], received[flows[i].destination]);
    for (const std::uint32_t channel : routes.path(i)) {
      longest = std::max(longest, times.channels[channel]);
    }
    times.mean += longest * bytes[i];
    all += bytes[i];
  }
  if (all > 0) times.mean /= all;
  return times;
}

}  // namespace pssp
