#pragma once

// Slow but simple reference implementations for the tests of routing/repair/, based on Boost.Graph.

#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/engines/engine.h"
#include "routing/repair/stable_rerouting.h"
#include "tests/topologies/fabric_graph.h"
#include "topologies/survivors.h"

namespace pssp::test {

/// Tables of an engine without options.
inline ForwardingTables route(const Fabric& fabric, std::string_view engine) {
  return make_engine(engine, {})->route(fabric).tables;
}

/// Distances between all switches; -1 between islands.
inline std::vector<std::vector<int>> all_distances(const Fabric& fabric) {
  const SwitchGraph graph = switch_graph(fabric);
  std::vector<std::vector<int>> all;
  for (std::size_t s = 0; s < fabric.switch_count(); ++s) all.push_back(distances(graph, s));
  return all;
}

inline PortNumber entry(const ForwardingTables& tables, std::uint32_t s, std::size_t lid) {
  return lid < tables.width() ? tables.row(SwitchId(s))[lid] : no_port;
}

/// True if an entry is on a minimal path.
inline bool is_on_minimal_path(const Fabric& fabric, const std::vector<std::vector<int>>& distance,
                               std::uint32_t s, std::size_t lid, PortNumber port) {
  const Delivery delivery = fabric.delivery(static_cast<Lid>(lid));
  if (!delivery.at.valid()) return false;
  if (delivery.at.value() == s) return port == delivery.port;
  const PortTarget target = fabric.behind(SwitchId(s), port);
  if (target.kind != PortTarget::Kind::channel) return false;
  const auto& to_root = distance[delivery.at.value()];
  return to_root[s] > 0 && to_root[fabric.channel_head()[target.index]] == to_root[s] - 1;
}

/// Changes that are unavoidable, counted entry by entry; `moved` is 0.
inline EntryChanges least_changes(const Fabric& fabric, const ForwardingTables& previous) {
  const auto distance = all_distances(fabric);
  EntryChanges least;
  const std::size_t width = std::max<std::size_t>(previous.width(), fabric.max_lid() + 1U);
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (std::size_t lid = 0; lid < width; ++lid) {
      const PortNumber port = entry(previous, s, lid);
      const Delivery delivery = fabric.delivery(static_cast<Lid>(lid));
      const bool is_reachable = delivery.at.valid() && distance[delivery.at.value()][s] >= 0;
      if (port == no_port) {
        if (is_reachable) ++least.added;
      } else if (!is_reachable) {
        ++least.removed;
      } else if (is_on_minimal_path(fabric, distance, s, lid, port)) {
        ++least.kept;
      } else {
        ++least.replaced;
      }
    }
  }
  return least;
}

/// The fabric without up to this many random switches and links; it may have islands.
inline Fabric damaged(const Fabric& fabric, std::size_t switches, std::size_t links,
                      std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<SwitchId> dead_switches;
  std::vector<ChannelId> dead_links;
  for (std::size_t i = 0; i < switches; ++i) {
    dead_switches.emplace_back(static_cast<std::uint32_t>(random() % fabric.switch_count()));
  }
  for (std::size_t i = 0; i < links; ++i) {
    dead_links.emplace_back(static_cast<std::uint32_t>(random() % fabric.channel_count()));
  }
  return survivors(fabric, dead_switches, dead_links);
}

}  // namespace pssp::test
