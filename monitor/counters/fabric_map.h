#pragma once

// The monitor's description of the fabric, without counters: nodes, ports and cables in flat
// arrays, with their attributes. One immutable object per generation; a snapshot refers to the
// generation of its counters.
//
// A node is its GUID, a port is (node GUID, port number). LIDs are attributes that change.

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/ids.h"
#include "fabric/link_rate.h"
#include "monitor/counters/port_key.h"

namespace pssp {

enum class NodeKind : std::uint8_t { channel_adapter = 1, switch_node = 2, router = 3 };
/// PortInfo's PortState and PortPhysicalState (InfiniBand architecture 1.3, 14.2.5.6).
enum class LinkState : std::uint8_t {
  unknown = 0,
  down = 1,
  initialize = 2,
  armed = 3,
  active = 4
};
enum class PhysicalState : std::uint8_t {
  unknown = 0,
  sleep = 1,
  polling = 2,
  disabled = 3,
  training = 4,
  link_up = 5,
  error_recovery = 6,
};

struct MapNode {
  Guid guid = 0;
  NodeKind kind = NodeKind::channel_adapter;
  std::uint8_t ports = 0;  ///< external ports; FabricMap has all of them, with or without cables
  Lid lid = no_lid;        ///< of a switch; adapters and routers have one LID per port
  std::uint32_t vendor = 0, device = 0;
  std::string description;  ///< up to 64 bytes from the node: untrusted, so escape before printing
  std::uint32_t first_port = 0;  ///< index of port 1 in FabricMap::ports
};

struct MapPort {
  static constexpr std::uint32_t no_peer = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t node = 0;  ///< index into FabricMap::nodes
  PortNumber number = 1;
  LinkState state = LinkState::unknown;
  PhysicalState physical = PhysicalState::unknown;
  Guid guid = 0;     ///< of the port; for a switch port, of the switch
  Lid lid = no_lid;  ///< for requests; for a switch port, of the switch
  std::uint8_t lmc = 0;
  LinkRate rate;                 ///< active width and speed; not set if the link is down
  std::uint32_t peer = no_peer;  ///< index into FabricMap::ports
  // Raw fields of PortInfo and ExtendedPortInfo; 0 if they were not requested (topology file).
  std::uint8_t width_supported = 0, width_enabled = 0;  ///< bits: 1x, 4x, 8x, 12x, 2x
  std::uint8_t speed_supported = 0, speed_enabled = 0;  ///< bits: 2.5, 5, 10 Gbit/s
  std::uint8_t extended_speed_supported = 0, extended_speed_enabled = 0;
  std::uint8_t mtu_supported = 0, mtu_active = 0;           ///< 1: 256 bytes .. 5: 4096 bytes
  std::uint8_t lanes_supported = 0, lanes_operational = 0;  ///< code of VLCap and OperationalVLs
  bool is_manager = false;                                  ///< capability bit IsSM
};

struct FabricMap {
  std::uint64_t generation = 0;  ///< 1, 2, ..: different for each distinct map of a process
  std::uint64_t hash = 0;        ///< of nodes, cables and rates: equal maps have equal hashes
  std::int64_t time_ms = 0;      ///< when it was read, since 1970
  std::vector<MapNode> nodes;    ///< by ascending GUID
  std::vector<MapPort> ports;    ///< by node, then by number, 1 .. MapNode::ports
  /// The same for routing and evaluation; null if FabricBuilder rejected it.
  std::shared_ptr<const Fabric> fabric;

  const MapNode& node_of(const MapPort& port) const noexcept { return nodes[port.node]; }
  PortKey key_of(const MapPort& port) const noexcept { return {node_of(port).guid, port.number}; }
  /// O(log nodes).
  std::optional<std::uint32_t> find_node(Guid guid) const;
  std::optional<std::uint32_t> find_port(Guid node_guid, PortNumber number) const;
  /// A port of the node, or all its ports if `number` is 0; empty if there is no such port.
  std::vector<std::uint32_t> ports_of(Guid node_guid, PortNumber number) const;
};

}  // namespace pssp
