// Builds a FabricMap and a Fabric from the discovered nodes.
//
// The map has every port of every node, with or without cable, so that a page can show missing
// links. The Fabric has what FabricBuilder accepts. FabricBuilder may reject the nodes, for example
// if one LID has two owners while the manager is still working. The map then has no Fabric, because
// counters can also be read from a fabric that cannot be routed.

#include "monitor/discovery/found_fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/digest.h"
#include "base/error.h"
#include "base/untrusted_text.h"
#include "monitor/counters/map_fabric.h"

namespace pssp {
namespace {

struct Code {
  std::uint8_t code;
  std::uint32_t value;
};
// InfiniBand architecture 1.6, 14.2.5.6: LinkWidthActive, LinkSpeedActive, LinkSpeedExtActive.
constexpr std::array width_codes{Code{1, 1}, Code{2, 4}, Code{4, 8}, Code{8, 12}, Code{16, 2}};
constexpr std::array speed_codes{Code{1, 2000}, Code{2, 4000}, Code{4, 8000}};
constexpr std::array extended_codes{Code{1, 13636}, Code{2, 25000}, Code{4, 50000},
                                    Code{8, 100000}};
constexpr std::uint32_t fdr10_mbits = 10000;

std::uint32_t value_of(std::span<const Code> codes, std::uint8_t code) {
  const auto found = std::ranges::find(codes, code, &Code::code);
  return found == codes.end() ? 0 : found->value;
}

MapPort map_port(const FoundPort& found) {
  MapPort port;
  const PortInfo& info = found.info;
  port.number = found.number;
  port.guid = found.guid;
  port.lid = info.lid;
  port.lmc = info.lmc;
  if (info.state <= static_cast<std::uint8_t>(LinkState::active))
    port.state = LinkState(info.state);
  if (info.physical_state <= static_cast<std::uint8_t>(PhysicalState::error_recovery)) {
    port.physical = PhysicalState(info.physical_state);
  }
  if (port.state != LinkState::down) port.rate = link_rate_of(info, found.runs_fdr10);
  port.width_supported = info.width_supported;
  port.width_enabled = info.width_enabled;
  port.speed_supported = info.speed_supported;
  port.speed_enabled = info.speed_enabled;
  port.extended_speed_supported = info.extended_speed_supported;
  port.extended_speed_enabled = info.extended_speed_enabled;
  port.mtu_supported = info.mtu_supported;
  port.mtu_active = info.mtu_active;
  port.lanes_supported = info.lanes_supported;
  port.lanes_operational = info.lanes_operational;
  port.is_manager = (info.capabilities & port_capability::is_manager) != 0;
  return port;
}

/// The nodes that a map may contain, by ascending GUID. A node that was found twice occurs once.
std::vector<const FoundNode*> nodes_by_guid(const std::vector<FoundNode>& nodes) {
  std::vector<const FoundNode*> order;
  order.reserve(nodes.size());
  for (const FoundNode& node : nodes) {
    if (node.guid != 0 && node.ports != 0 && node.ports <= max_port_number) order.push_back(&node);
  }
  std::ranges::stable_sort(order, {}, &FoundNode::guid);
  const auto same = [](const FoundNode* a, const FoundNode* b) { return a->guid == b->guid; };
  order.erase(std::unique(order.begin(), order.end(), same), order.end());
  return order;
}

void add_node(const FoundNode& found, FabricMap& map) {
  const auto index = static_cast<std::uint32_t>(map.nodes.size());
  const auto first = static_cast<std::uint32_t>(map.ports.size());
  map.nodes.push_back({found.guid, found.kind, static_cast<std::uint8_t>(found.ports), found.lid,
                       found.vendor, found.device, found.description, first});
  map.ports.resize(first + found.ports);
  for (unsigned p = 0; p < found.ports; ++p) {
    map.ports[first + p].number = static_cast<PortNumber>(p + 1);
  }
  for (const FoundPort& port : found.found_ports) {
    if (port.number == 0 || port.number > found.ports) continue;
    map.ports[first + port.number - 1U] = map_port(port);
  }
  for (std::uint32_t p = first; p < map.ports.size(); ++p) {
    map.ports[p].node = index;
    if (found.kind != NodeKind::switch_node) continue;
    map.ports[p].guid = found.guid;
    map.ports[p].lid = found.lid;
    map.ports[p].lmc = found.lmc;
  }
}

/// Both ends of a cable, if at least one of them reported it and the other one reported no other
/// cable.
void add_cables(const FoundNode& found, FabricMap& map) {
  for (const FoundPort& port : found.found_ports) {
    const auto near = map.find_port(found.guid, port.number);
    const auto far = map.find_port(port.far_node, port.far_port);
    if (!near || !far || near == far) continue;
    MapPort& a = map.ports[*near];
    MapPort& b = map.ports[*far];
    if (a.peer != MapPort::no_peer || b.peer != MapPort::no_peer) continue;
    a.peer = *far;
    b.peer = *near;
  }
}

void add_port(const MapPort& port, Digest& digest) {
  digest.add(port.number);
  digest.add(port.peer);
  digest.add(port.rate.lanes);
  digest.add(port.rate.megabits_per_lane);
}

void add_attributes(const MapPort& port, Digest& digest) {
  const std::array<std::uint8_t, 14> bytes{static_cast<std::uint8_t>(port.state),
                                           static_cast<std::uint8_t>(port.physical),
                                           port.lmc,
                                           port.width_supported,
                                           port.width_enabled,
                                           port.speed_supported,
                                           port.speed_enabled,
                                           port.extended_speed_supported,
                                           port.extended_speed_enabled,
                                           port.mtu_supported,
                                           port.mtu_active,
                                           port.lanes_supported,
                                           port.lanes_operational,
                                           static_cast<std::uint8_t>(port.is_manager)};
  digest.add(port.guid);
  digest.add(port.lid);
  digest.add_all(std::span<const std::uint8_t>(bytes));
}

std::uint64_t digest_of_map(const FabricMap& map, bool all) {
  Digest digest;
  for (const MapNode& node : map.nodes) {
    digest.add(node.guid);
    digest.add(static_cast<std::uint64_t>(node.kind));
    digest.add(node.ports);
    if (!all) continue;
    digest.add(node.lid);
    digest.add(node.vendor);
    digest.add(node.device);
    digest.add_text(node.description);
  }
  for (const MapPort& port : map.ports) {
    add_port(port, digest);
    if (all) add_attributes(port, digest);
  }
  return digest.value()[0];
}

}  // namespace

LinkRate link_rate_of(const PortInfo& info, bool runs_fdr10) {
  const std::uint32_t lanes = value_of(width_codes, info.width_active);
  std::uint32_t mbits = value_of(extended_codes, info.extended_speed_active);
  if (mbits == 0) mbits = runs_fdr10 ? fdr10_mbits : value_of(speed_codes, info.speed_active);
  return {static_cast<std::uint8_t>(lanes), mbits};
}

std::uint64_t hash_of_map(const FabricMap& map) { return digest_of_map(map, false); }
std::uint64_t hash_of_all(const FabricMap& map) { return digest_of_map(map, true); }

DiscoveredFabric to_fabric_map(const std::vector<FoundNode>& nodes) {
  DiscoveredFabric result;
  result.map = std::make_shared<FabricMap>();
  FabricMap& map = *result.map;
  const std::vector<const FoundNode*> order = nodes_by_guid(nodes);
  for (const FoundNode* node : order) {
    add_node(*node, map);
    result.routes.push_back(node->route);
  }
  for (const FoundNode* node : order) add_cables(*node, map);
  map.hash = hash_of_map(map);
  if (order.size() < nodes.size()) {
    result.problem = fmt::format(
        "{} nodes were ignored because they have no GUID, no valid number of ports, or the GUID of "
        "another node",
        nodes.size() - order.size());
  }
  try {
    map.fabric = std::make_shared<const Fabric>(fabric_of(map));
  } catch (const Error& error) {
    result.problem = untrusted_text(error.what());
  }
  return result;
}

}  // namespace pssp
