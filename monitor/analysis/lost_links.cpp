// The states of links are part of the map and not of a sweep, so each new map is compared once with
// the one before it. A link that was up and no longer is counts as lost until it is up again, one
// of its ports is disabled, or the port at its other end is cabled to another port.
//
// If a whole node goes down, its links are lost at the other ends of their cables.

#include "monitor/analysis/lost_links.h"

#include <fmt/format.h>

#include <utility>

#include "base/untrusted_text.h"
#include "fabric/nodes/node_description.h"
#include "monitor/counters/state_names.h"

namespace pssp {
namespace {

bool is_up(const FabricMap& map, PortKey key) {
  const auto port = map.find_port(key.node, key.number);
  return port && map.ports[*port].state == LinkState::active;
}

bool is_disabled(const FabricMap& map, PortKey key) {
  const auto port = map.find_port(key.node, key.number);
  return port && map.ports[*port].physical == PhysicalState::disabled;
}

bool is_switch(const FabricMap& map, std::uint32_t port) {
  return map.node_of(map.ports[port]).kind == NodeKind::switch_node;
}

}  // namespace

void LostLinks::restore(PortKey port, PortKey peer, Level level, std::string reason) {
  lost_[port] = {peer, {}, level, std::move(reason)};
}

void LostLinks::miss(const FabricMap& before, std::uint32_t port) {
  const std::uint32_t peer = before.ports[port].peer;
  const bool between_switches = is_switch(before, port) && is_switch(before, peer);
  std::string name = port_label(untrusted_text(before.node_of(before.ports[peer]).description),
                                before.ports[peer].number);
  // advice_in() takes what follows the first ": " of a reason, so the name must not contain it.
  for (std::size_t at = 0; (at = name.find(": ", at)) != std::string::npos;) name[at] = ';';
  lost_[before.key_of(before.ports[port])] = {before.key_of(before.ports[peer]),
                                              std::move(name),
                                              between_switches ? Level::bad : Level::watch,
                                              {}};
}

std::string LostLinks::reason_of(const Lost& lost, const MapPort& now) {
  if (!lost.reason.empty()) return lost.reason;
  if (now.state == LinkState::initialize || now.state == LinkState::armed) {
    return fmt::format("the link to {} was active and is {}: check that a subnet manager runs",
                       lost.peer_name, name_of(now.state));
  }
  return fmt::format("the link to {} is down: {}", lost.peer_name,
                     lost.level == Level::bad
                         ? "check the cable and both switches"
                         : "check the host's power, then the cable and the adapter");
}

void LostLinks::add(const Snapshot& snapshot) {
  const FabricMap& map = *snapshot.map;
  if (map_ != nullptr && map_ != snapshot.map) {
    for (std::uint32_t p = 0; p < map_->ports.size(); ++p) {
      const bool was_up =
          map_->ports[p].state == LinkState::active && map_->ports[p].peer != MapPort::no_peer;
      if (was_up && !is_up(map, map_->key_of(map_->ports[p]))) miss(*map_, p);
    }
  }
  map_ = snapshot.map;
  std::erase_if(lost_, [&](const auto& each) {
    const auto& [key, lost] = each;
    return is_up(map, key) || is_up(map, lost.peer) || is_disabled(map, key) ||
           is_disabled(map, lost.peer);
  });
}

std::vector<LostLink> LostLinks::lost(const Snapshot& snapshot) const {
  const FabricMap& map = *snapshot.map;
  std::vector<LostLink> result;
  for (const auto& [key, lost] : lost_) {
    const auto port = map.find_port(key.node, key.number);
    const bool said_there = lost.peer < key && lost_.contains(lost.peer) &&
                            map.find_port(lost.peer.node, lost.peer.number).has_value();
    if (!port || said_there) continue;
    result.push_back(
        {{*port, lost.level, std::string(link_state), reason_of(lost, map.ports[*port]), 0, 0},
         lost.peer});
  }
  return result;
}

}  // namespace pssp
