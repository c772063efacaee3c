#include "topologies/survivors.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "fabric/builder.h"

namespace pssp {
namespace {

class Survival {
 public:
  Survival(const Fabric& fabric, std::span<const SwitchId> dead_switches,
           std::span<const ChannelId> dead_links, std::span<const EndPortId> dead_end_ports)
      : fabric_(fabric),
        is_dead_switch_(fabric.switch_count(), false),
        is_dead_end_port_(fabric.end_port_count(), false),
        is_dead_channel_(fabric.channel_count(), false),
        switches_(fabric.switch_count()) {
    for (const SwitchId s : dead_switches) is_dead_switch_[s.value()] = true;
    for (const EndPortId e : dead_end_ports) is_dead_end_port_[e.value()] = true;
    for (const ChannelId c : dead_links) {
      is_dead_channel_[c.value()] = true;
      is_dead_channel_[fabric.channel_reverse()[c.value()]] = true;
    }
  }

  Fabric run() {
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      if (!is_dead_switch_[s]) add_switch(SwitchId(s));
    }
    for (std::uint32_t c = 0; c < fabric_.channel_count(); ++c) connect_switches(c);
    const auto ports = static_cast<std::uint32_t>(fabric_.end_port_count());
    for (std::uint32_t first = 0, last = 0; first < ports; first = last) {
      while (last < ports && fabric_.end_ports()[last].host == fabric_.end_ports()[first].host)
        ++last;
      add_adapter(first, last);
    }
    return std::move(builder_).build({.roles = endpoint_roles(fabric_)});
  }

 private:
  void add_switch(SwitchId s) {
    const Switch& from = fabric_.switch_at(s);
    switches_[s.value()] = builder_.add_switch(from.guid, from.ports, from.name, from.description);
    if (from.lid != no_lid)
      builder_.set_lid(switches_[s.value()], management_port, from.lid, from.lmc);
  }

  void connect_switches(std::uint32_t c) {
    const NodeId tail = switches_[fabric_.channel_tail()[c]];
    const NodeId head = switches_[fabric_.channel_head()[c]];
    if (is_dead_channel_[c] || !tail.valid() || !head.valid()) return;
    builder_.connect(tail, fabric_.channel_out_port()[c], head, fabric_.channel_in_port()[c],
                     fabric_.channel_rate()[c]);
  }

  void add_adapter(std::uint32_t first, std::uint32_t last) {
    const EndPort& from = fabric_.end_port(EndPortId(first));
    const unsigned ports = fabric_.end_port(EndPortId(last - 1)).port;
    const NodeId node =
        builder_.add_adapter(from.node_guid, ports, from.kind, from.name, from.description);
    for (std::uint32_t e = first; e < last; ++e) {
      const EndPort& port = fabric_.end_port(EndPortId(e));
      builder_.set_port_guid(node, port.port, port.port_guid);
      if (port.lid != no_lid) builder_.set_lid(node, port.port, port.lid, port.lmc);
      if (!port.attached.valid() || is_dead_end_port_[e]) continue;
      if (is_dead_switch_[port.attached.value()]) continue;
      builder_.connect(node, port.port, switches_[port.attached.value()], port.switch_port,
                       port.rate);
    }
  }

  const Fabric& fabric_;
  std::vector<bool> is_dead_switch_, is_dead_end_port_, is_dead_channel_;
  std::vector<NodeId> switches_;  // handles; none where dead
  FabricBuilder builder_;
};

}  // namespace

Fabric survivors(const Fabric& fabric, std::span<const SwitchId> dead_switches,
                 std::span<const ChannelId> dead_links, std::span<const EndPortId> dead_end_ports) {
  return Survival(fabric, dead_switches, dead_links, dead_end_ports).run();
}

}  // namespace pssp
