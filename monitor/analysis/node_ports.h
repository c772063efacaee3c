#pragma once

// Where nodes are, and where they were: a node whose cable is pulled is in no map, and the port at
// which it was is what people need to know.

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
  std::string word;  ///< as NodeRails::Rail has it; the same rail of all nodes
  PortKey adapter;
  PortKey leaf;           ///< of no node: cabled to no switch
  std::string leaf_name;  ///< "leaf 7 port 12", safe to print
  bool is_here = false;   ///< cabled to a switch in the last map
  std::int64_t seen_ms = 0;
};

struct PlacedNode {
  bool is_named = true;         ///< by a description
  std::vector<RailPort> rails;  ///< those of now by number, then those that are missed
  bool is_here() const;         ///< at least one rail is
};

struct PlacedSwitch {
  std::string name;           ///< clean to show
  std::uint32_t uplinks = 0;  ///< active links to other switches in the last map
  std::uint32_t most = 0;     ///< the same, the largest lately
  bool is_here = false;
  std::int64_t reached_ms = 0;  ///< when it had the most
};

class NodePorts {
 public:
  /// What is gone is missed for so many seconds.
  NodePorts(NodeNameRule rule, std::int64_t memory_s)
      : rule_(std::move(rule)), memory_ms_(1000 * memory_s) {}

  /// The next map; times ascend. False where it is no fabric for routing: then nothing is known,
  /// and what was known before stays. O(nodes), of another map O(ports log ports).
  bool update(const FabricMap& map, std::int64_t time_ms);

  const std::map<std::string, PlacedNode>& nodes() const noexcept { return nodes_; }
  /// Null where it never was.
  const PlacedSwitch* switch_of(Guid guid) const;

 private:
  void take_nodes(const Fabric& fabric);
  void take_switches(const FabricMap& map, std::int64_t time_ms);
  void forget(std::int64_t time_ms);

  NodeNameRule rule_;
  std::int64_t memory_ms_;
  std::uint64_t generation_ = 0, hash_ = 0;  // of the last map; another process counts again
  std::int64_t last_ms_ = 0;
  bool is_fabric_ = false;
  std::map<std::string, PlacedNode> nodes_;  // by name
  std::map<Guid, PlacedSwitch> switches_;
};

}  // namespace pssp
