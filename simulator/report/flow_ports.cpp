#include "simulator/report/flow_ports.h"

#include <fmt/format.h>

#include "simulator/network/link_capacity.h"

namespace pssp {

PortDirectory::PortDirectory(const Fabric& fabric, const Model& model)
    : fabric_(fabric),
      model_(model),
      channels_(static_cast<std::uint32_t>(fabric.channel_count())),
      hosts_(static_cast<std::uint32_t>(fabric.endpoints().size())) {}

std::string PortDirectory::name(std::uint32_t port) const {
  if (port < channels_) return fabric_.channel_label(ChannelId(port));
  const bool leads_to_host = port < channels_ + hosts_;
  const EndPortId host = fabric_.endpoints()[(port - channels_) % hosts_];
  const EndPort& end = fabric_.end_port(host);
  const std::string at = fmt::format("{}[{}]", fabric_.label(end.attached), end.switch_port);
  return leads_to_host ? fmt::format("{} -> {}", at, fabric_.label(host))
                       : fmt::format("{} -> {}", fabric_.label(host), at);
}

double PortDirectory::rate(std::uint32_t port) const {
  constexpr double bytes_per_megabit = 1e6 / 8;
  if (port < channels_) {
    return link_megabits(fabric_, model_.link_rate, fabric_.channel_rate()[port]) *
           bytes_per_megabit;
  }
  const EndPort& end = fabric_.end_port(fabric_.endpoints()[(port - channels_) % hosts_]);
  return link_megabits(fabric_, model_.host_rate, end.rate) * bytes_per_megabit;
}

std::vector<std::uint32_t> PortDirectory::route(const ForwardingTables& tables, Flow hosts,
                                                std::uint16_t path) const {
  const EndPort& from = fabric_.end_port(fabric_.endpoints()[hosts.source]);
  const EndPort& to = fabric_.end_port(fabric_.endpoints()[hosts.destination]);
  const auto lid = static_cast<Lid>(to.lid + path);
  std::vector<std::uint32_t> ports{from_host(hosts.source)};
  SwitchId at = from.attached;
  // A path with more hops than switches is a loop.
  for (std::size_t hops = 0; hops <= fabric_.switch_count(); ++hops) {
    const PortTarget target = fabric_.behind(at, tables.at(at, lid));
    if (target.kind == PortTarget::Kind::end_port) {
      if (EndPortId(target.index) != fabric_.endpoints()[hosts.destination]) return {};
      ports.push_back(to_host(hosts.destination));
      return ports;
    }
    if (target.kind != PortTarget::Kind::channel) return {};
    ports.push_back(target.index);
    at = SwitchId(fabric_.channel_head()[target.index]);
  }
  return {};
}

}  // namespace pssp
