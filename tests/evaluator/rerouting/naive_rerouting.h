#pragma once

// Effects of a table change, found by tracing every pair of hosts through both tables. Shares no
// code with evaluator/rerouting/.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp::test {

/// Ends of the cables along a path, as GUID and port.
using NaivePath = std::vector<std::pair<Guid, unsigned>>;

/// The path from a host to a LID; none if packets do not arrive.
inline std::optional<NaivePath> naive_path(const Fabric& fabric, const ForwardingTables& tables,
                                           EndPortId from, Lid lid) {
  NaivePath path;
  SwitchId at = fabric.end_port(from).attached;
  std::set<std::uint32_t> seen;
  while (at.valid() && seen.insert(at.value()).second) {
    const PortNumber port = lid <= tables.max_lid() ? tables.at(at, lid) : no_port;
    path.emplace_back(fabric.switch_at(at).guid, port);
    const PortTarget behind = fabric.behind(at, port);
    if (behind.kind == PortTarget::Kind::end_port) {
      const EndPort& to = fabric.end_port(EndPortId(behind.index));
      if (to.lid == no_lid || lid < to.lid || lid >= to.lid + (1U << to.lmc)) return std::nullopt;
      return path;
    }
    if (behind.kind != PortTarget::Kind::channel) return std::nullopt;
    path.emplace_back(fabric.switch_at(SwitchId(fabric.channel_head()[behind.index])).guid,
                      fabric.channel_in_port()[behind.index]);
    at = SwitchId(fabric.channel_head()[behind.index]);
  }
  return std::nullopt;
}

struct NaiveChanges {
  std::map<std::string, std::uint64_t> flows;
  std::map<NaivePath, std::pair<std::uint64_t, std::uint64_t>> loads;  ///< by the ends of the cable
};

inline NaiveChanges naive_changes(const Fabric& before, const ForwardingTables& old_tables,
                                  const Fabric& after, const ForwardingTables& new_tables) {
  std::set<Guid> hosts;
  for (const EndPortId e : before.endpoints()) hosts.insert(before.end_port(e).port_guid);
  for (const EndPortId e : after.endpoints()) hosts.insert(after.end_port(e).port_guid);
  const auto path_in = [](const Fabric& fabric, const ForwardingTables& tables, Guid from, Guid to,
                          unsigned offset) -> std::optional<NaivePath> {
    const auto source = fabric.find_end_port(from);
    const auto goal = fabric.find_end_port(to);
    if (!source || !goal || !fabric.is_endpoint(*source) || !fabric.is_endpoint(*goal)) return {};
    return naive_path(fabric, tables, *source,
                      static_cast<Lid>(fabric.end_port(*goal).lid + offset));
  };
  NaiveChanges changes;
  const auto add_load = [&](const NaivePath& path, bool is_after) {
    for (std::size_t i = 0; i + 2 < path.size(); i += 2) {
      auto& load = changes.loads[{path[i], path[i + 1]}];
      ++(is_after ? load.second : load.first);
    }
  };
  for (const Guid from : hosts) {
    for (const Guid to : hosts) {
      if (from == to) continue;
      const auto was = path_in(before, old_tables, from, to, 0);
      const auto is = path_in(after, new_tables, from, to, 0);
      if (was) add_load(*was, false);
      if (is) add_load(*is, true);
      const char* const kind = was && is ? (*was == *is ? "same" : "moved")
                               : was     ? "lost"
                               : is      ? "gained"
                                         : "unrouted";
      ++changes.flows[kind];
      if (was && is && is->size() > was->size()) ++changes.flows["longer"];
    }
  }
  return changes;
}

}  // namespace pssp::test
