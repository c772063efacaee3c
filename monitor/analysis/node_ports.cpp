// A rail is recognized by its word and not by its number. Numbers are positions among the words of
// the fabric, and shift when the last adapter with a word disappears.
//
// An adapter that comes back under another name does not count as missing. This happens to all
// hosts that set their node description only after they have started.

#include "monitor/analysis/node_ports.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/untrusted_text.h"
#include "fabric/nodes/node_description.h"
#include "fabric/nodes/node_rails.h"
#include "monitor/counters/map_fabric.h"

namespace pssp {
namespace {

RailPort place_of(const Fabric& fabric, const NodeRails::Rail& rail) {
  const EndPort& port = fabric.end_port(rail.port);
  RailPort place;
  place.word = rail.word;
  place.adapter = {port.node_guid, port.port};
  if (!port.attached.valid()) return place;
  const Switch& leaf = fabric.switch_at(port.attached);
  place.leaf = {leaf.guid, port.switch_port};
  place.leaf_name = port_label(untrusted_text(leaf.description), port.switch_port);
  place.is_here = true;
  return place;
}

}  // namespace

bool PlacedNode::is_here() const { return std::ranges::any_of(rails, &RailPort::is_here); }

bool NodePorts::update(const FabricMap& map, std::int64_t time_ms) {
  if (map.generation != generation_ || map.hash != hash_) {
    generation_ = map.generation;
    hash_ = map.hash;
    is_fabric_ = true;
    try {
      const std::optional<Fabric> made =
          map.fabric == nullptr ? std::optional(fabric_of(map)) : std::nullopt;
      take_nodes(made ? *made : *map.fabric);
    } catch (const Error&) {
      is_fabric_ = false;
    }
  }
  if (is_fabric_) {
    take_switches(map, time_ms);
    forget(time_ms);
    last_ms_ = time_ms;
  }
  return is_fabric_;
}

/// A rail that was present and is no longer was last seen at the previous update.
void NodePorts::take_nodes(const Fabric& fabric) {
  std::map<std::string, PlacedNode> before = std::exchange(nodes_, {});
  std::set<PortKey> here;
  const NodeRails found(fabric, rule_);
  for (const NodeRails::Node& node : found.nodes()) {
    PlacedNode& placed = nodes_[node.name];
    placed.is_named = node.is_named;
    for (const NodeRails::Rail& rail : node.rails) {
      placed.rails.push_back(place_of(fabric, rail));
      if (placed.rails.back().is_here) here.insert(placed.rails.back().adapter);
    }
  }
  for (auto& [name, old] : before) {
    for (RailPort& rail : old.rails) {
      const bool was_cabled = rail.leaf.node != 0;
      const auto now = nodes_.find(name);
      const bool is_replaced =
          now != nodes_.end() && std::ranges::any_of(now->second.rails, [&](const RailPort& each) {
            return each.is_here && each.word == rail.word;
          });
      if (!was_cabled || is_replaced || here.contains(rail.adapter)) continue;
      if (rail.is_here) rail.seen_ms = last_ms_;
      rail.is_here = false;
      PlacedNode& placed = nodes_[name];
      if (placed.rails.empty()) placed.is_named = old.is_named;
      placed.rails.push_back(std::move(rail));
    }
  }
}

void NodePorts::take_switches(const FabricMap& map, std::int64_t time_ms) {
  for (auto& [guid, each] : switches_) {
    each.uplinks = 0;
    each.is_here = false;
  }
  const auto is_switch = [&](const MapPort& port) {
    return map.node_of(port).kind == NodeKind::switch_node;
  };
  for (const MapNode& node : map.nodes) {
    if (node.kind != NodeKind::switch_node) continue;
    PlacedSwitch& placed = switches_[node.guid];
    placed.is_here = true;
    placed.name = untrusted_text(node.description);
    for (unsigned i = 0; i < node.ports; ++i) {
      const MapPort& port = map.ports[node.first_port + i];
      const bool is_up = port.state == LinkState::active || port.state == LinkState::unknown;
      const bool is_uplink = port.peer != MapPort::no_peer && is_switch(map.ports[port.peer]);
      placed.uplinks += is_up && is_uplink ? 1 : 0;
    }
    const bool is_long_ago = time_ms - placed.reached_ms > memory_ms_;
    if (placed.uplinks >= placed.most || is_long_ago) {
      placed.most = placed.uplinks;
      placed.reached_ms = time_ms;
    }
  }
}

void NodePorts::forget(std::int64_t time_ms) {
  for (auto& [name, node] : nodes_) {
    std::erase_if(node.rails, [&](const RailPort& rail) {
      return !rail.is_here && rail.seen_ms != 0 && time_ms - rail.seen_ms > memory_ms_;
    });
  }
  std::erase_if(nodes_, [](const auto& each) { return each.second.rails.empty(); });
  std::erase_if(switches_, [&](const auto& each) {
    return !each.second.is_here && time_ms - each.second.reached_ms > memory_ms_;
  });
}

const PlacedSwitch* NodePorts::switch_of(Guid guid) const {
  const auto found = switches_.find(guid);
  return found == switches_.end() ? nullptr : &found->second;
}

}  // namespace pssp
