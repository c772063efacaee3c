// A map from a topology file. What the file does not contain (states, capabilities of ports, ports
// without cables) is unknown in the map; ports with cables count as active.

#include "monitor/discovery/topology_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/error.h"
#include "base/untrusted_text.h"
#include "fabric/nodes/node_description.h"

namespace pssp {
namespace {

constexpr std::uint8_t state_active = static_cast<std::uint8_t>(LinkState::active);
constexpr std::uint8_t state_link_up = static_cast<std::uint8_t>(PhysicalState::link_up);

struct RatedPort {
  FoundPort port;
  LinkRate rate;
};

RatedPort cabled_port(PortNumber number, Guid guid, Lid lid, Guid far_node, PortNumber far_port,
                      LinkRate rate) {
  RatedPort rated;
  rated.port.number = number;
  rated.port.guid = guid;
  rated.port.info.lid = lid;
  rated.port.info.state = state_active;
  rated.port.info.physical_state = state_link_up;
  rated.port.far_node = far_node;
  rated.port.far_port = far_port;
  rated.rate = rate;
  return rated;
}

NodeKind kind_of(EndPortKind kind) {
  return kind == EndPortKind::router ? NodeKind::router : NodeKind::channel_adapter;
}

/// Collects nodes by GUID, and the rate of each port, which codes of PortInfo may not be able to
/// express.
class MapOfFabric {
 public:
  explicit MapOfFabric(const Fabric& fabric) : fabric_(fabric) {
    for (const Switch& each : fabric.switches()) add_switch(each);
    for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) add_channel(c);
    for (const EndPort& port : fabric.end_ports()) add_end_port(port);
  }

  DiscoveredFabric result() {
    std::vector<FoundNode> list;
    list.reserve(nodes_.size());
    for (auto& [guid, node] : nodes_) list.push_back(std::move(node));
    DiscoveredFabric found = to_fabric_map(list);
    found.routes.clear();
    for (MapPort& port : found.map->ports) {
      const auto rate = rates_.find({found.map->node_of(port).guid, port.number});
      if (rate != rates_.end()) port.rate = rate->second;
    }
    found.map->hash = hash_of_map(*found.map);
    return found;
  }

 private:
  void add_switch(const Switch& each) {
    FoundNode& node = nodes_[each.guid];
    node.guid = each.guid;
    node.kind = NodeKind::switch_node;
    node.ports = each.ports;
    node.lid = each.lid;
    node.lmc = each.lmc;
    node.description = description_or_name(each);
  }

  void add(Guid node, const RatedPort& rated) {
    nodes_[node].found_ports.push_back(rated.port);
    rates_[{node, rated.port.number}] = rated.rate;
  }

  void add_channel(std::uint32_t c) {
    const Switch& tail = fabric_.switch_at(SwitchId(fabric_.channel_tail()[c]));
    const Switch& head = fabric_.switch_at(SwitchId(fabric_.channel_head()[c]));
    add(tail.guid, cabled_port(fabric_.channel_out_port()[c], tail.guid, tail.lid, head.guid,
                               fabric_.channel_in_port()[c], fabric_.channel_rate()[c]));
  }

  void add_end_port(const EndPort& port) {
    FoundNode& node = nodes_[port.node_guid];
    node.guid = port.node_guid;
    node.kind = kind_of(port.kind);
    node.ports = std::max<unsigned>(node.ports, port.port);
    node.description = description_or_name(port);
    if (!port.attached.valid()) return;
    const Switch& at = fabric_.switch_at(port.attached);
    RatedPort here =
        cabled_port(port.port, port.port_guid, port.lid, at.guid, port.switch_port, port.rate);
    here.port.info.lmc = port.lmc;
    add(port.node_guid, here);
    add(at.guid,
        cabled_port(port.switch_port, at.guid, at.lid, port.node_guid, port.port, port.rate));
  }

  const Fabric& fabric_;
  std::map<Guid, FoundNode> nodes_;
  std::map<std::pair<Guid, PortNumber>, LinkRate> rates_;
};

}  // namespace

DiscoveredFabric read_topology_map(const std::string& file) {
  TopologyFile topology = read_topology(file);
  if (!topology.builder.has_lids()) {
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}: the topology has no LIDs, which are required to query nodes; "
                            "expected the output of ibnetdiscover",
                            untrusted_text(file)));
  }
  return map_of_topology(std::move(topology));
}

DiscoveredFabric map_of_topology(TopologyFile topology) {
  const auto fabric = std::make_shared<const Fabric>(std::move(topology.builder).build());
  DiscoveredFabric found = MapOfFabric(*fabric).result();
  found.map->fabric = fabric;
  found.problem.clear();
  return found;
}

}  // namespace pssp
