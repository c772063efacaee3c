#include "monitor/counters/map_fabric.h"

#include <utility>
#include <vector>

#include "fabric/adapter_kind.h"
#include "fabric/builder.h"

namespace pssp {
namespace {

std::vector<NodeId> add_nodes(const FabricMap& map, FabricBuilder& builder) {
  std::vector<NodeId> ids;
  ids.reserve(map.nodes.size());
  for (const MapNode& node : map.nodes) {
    if (node.kind == NodeKind::switch_node) {
      ids.push_back(builder.add_switch(node.guid, node.ports, {}, node.description));
      continue;
    }
    const EndPortKind kind =
        node.kind == NodeKind::router ? EndPortKind::router : adapter_kind(node.description);
    ids.push_back(builder.add_adapter(node.guid, node.ports, kind, {}, node.description));
  }
  return ids;
}

}  // namespace

Fabric fabric_of(const FabricMap& map) {
  FabricBuilder builder;
  const std::vector<NodeId> ids = add_nodes(map, builder);
  for (std::uint32_t p = 0; p < map.ports.size(); ++p) {
    const MapPort& port = map.ports[p];
    const MapNode& node = map.node_of(port);
    const bool of_switch = node.kind == NodeKind::switch_node;
    if (!of_switch && port.guid != 0) builder.set_port_guid(ids[port.node], port.number, port.guid);
    const bool has_lid = of_switch ? port.number == 1 : port.lid != no_lid;
    if (has_lid && port.lid != no_lid) {
      builder.set_lid(ids[port.node], of_switch ? management_port : port.number, port.lid,
                      port.lmc);
    }
    if (port.peer == MapPort::no_peer || port.peer < p) continue;
    const MapPort& peer = map.ports[port.peer];
    builder.connect(ids[port.node], port.number, ids[peer.node], peer.number, port.rate);
  }
  return std::move(builder).build();
}

}  // namespace pssp
