#pragma once

// Tracks the current and former ports of nodes. A node whose cable is unplugged is in no map, and
// administrators need to know the switch port that it was connected to.

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fabric/nodes/node_name_rule.h"
#include "monitor/counters/fabric_map.h"
#include "monitor/counters/port_key.h"

namespace pssp {

/// A port of a node's adapter, and the switch port that it is cabled to.
struct RailPort {
  std::string word;  ///< as in NodeRails::Rail; the same for one rail of all nodes
  PortKey adapter;
  PortKey leaf;           ///< of no node: cabled to no switch
  std::string leaf_name;  ///< "leaf 7 port 12", sanitized
  bool is_here = false;   ///< cabled to a switch in the last map
  std::int64_t seen_ms = 0;
};

struct PlacedNode {
  bool is_named = true;         ///< the name comes from a node description
  std::vector<RailPort> rails;  ///< present rails by number, then missing rails
  bool is_here() const;         ///< true if at least one rail is present
};

struct PlacedSwitch {
  std::string name;           ///< sanitized
  std::uint32_t uplinks = 0;  ///< active links to other switches in the last map
  std::uint32_t most = 0;     ///< largest value of uplinks within the memory
  bool is_here = false;
  std::int64_t reached_ms = 0;  ///< time of the last sweep with the largest value
};

class NodePorts {
 public:
  /// Missing rails are remembered for `memory_s` seconds.
  NodePorts(NodeNameRule rule, std::int64_t memory_s)
      : rule_(std::move(rule)), memory_ms_(1000 * memory_s) {}

  /// Takes the next map; times must ascend. Returns false if the map cannot be converted to a
  /// fabric for routing; the earlier state stays unchanged then. O(ports); O(ports * log(ports))
  /// for a new map.
  bool update(const FabricMap& map, std::int64_t time_ms);

  const std::map<std::string, PlacedNode>& nodes() const noexcept { return nodes_; }
  /// Null if the switch was never seen, or is forgotten.
  const PlacedSwitch* switch_of(Guid guid) const;

 private:
  void take_nodes(const Fabric& fabric);
  void take_switches(const FabricMap& map, std::int64_t time_ms);
  void forget(std::int64_t time_ms);

  NodeNameRule rule_;
  std::int64_t memory_ms_;
  std::uint64_t generation_ = 0, hash_ = 0;  // of the last map; another process starts its
                                             // generations again
  std::int64_t last_ms_ = 0;
  bool is_fabric_ = false;
  std::map<std::string, PlacedNode> nodes_;  // by name
  std::map<Guid, PlacedSwitch> switches_;
};

}  // namespace pssp
