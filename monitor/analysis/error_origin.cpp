// A breadth-first search against the direction of the packets. A state is a switch, the port by
// which the packets leave it, and their possible destination LIDs. Packets can have arrived at
// another port of this switch only if the neighbor behind that port sends some of these LIDs there;
// otherwise no route leads this way. A port that counts receive errors may be the origin. The
// search continues beyond it, because the packets may have been marked earlier.
//
// A cut-through switch forwards a packet before it has received the end, so it cannot discard a
// packet that turns out to be damaged. It marks the packet, and each later switch counts a remote
// error. The port that reports errors is therefore rarely the port with the bad cable.

#include "monitor/analysis/error_origin.h"

#include <fmt/format.h>

#include <deque>
#include <set>
#include <utility>

#include "base/untrusted_text.h"
#include "fabric/nodes/node_description.h"

namespace pssp {
namespace {

constexpr unsigned most_hops = 8;

using Lids = std::vector<bool>;  // indexed by LID; empty means all LIDs

/// The LIDs among `lids` that the switch sends out of the port; nullopt if there are none.
std::optional<Lids> lids_through(const LiveTables* tables, std::uint32_t node, PortNumber out,
                                 const Lids& lids) {
  if (tables == nullptr) return Lids{};
  if (node >= tables->by_node.size() || tables->by_node[node].empty()) return lids;
  const std::vector<PortNumber>& entries = tables->by_node[node];
  Lids through(entries.size());
  bool any = false;
  for (std::size_t lid = 1; lid < entries.size(); ++lid) {
    const bool is_meant = lids.empty() || (lid < lids.size() && lids[lid]);
    through[lid] = is_meant && entries[lid] == out;
    any = any || through[lid];
  }
  return any ? std::optional(std::move(through)) : std::nullopt;
}

std::uint64_t receive_errors(const PortWindow& window) {
  return (window.known & mask_of(Counter::receive_errors)) == 0
             ? 0
             : window.counted[static_cast<std::size_t>(Counter::receive_errors)];
}

}  // namespace

std::optional<ErrorOrigin> origin_of_errors(const FabricMap& map, std::uint32_t port, bool arrived,
                                            const WindowOf& window, const LiveTables* tables) {
  struct Leaving {
    std::uint32_t port;
    Lids lids;
    unsigned hops;
  };
  std::deque<Leaving> open;
  std::set<std::uint32_t> seen;
  std::optional<ErrorOrigin> best;
  const auto leave_by = [&](std::uint32_t out, const Lids& lids, unsigned hops) {
    const MapPort& at = map.ports[out];
    if (map.node_of(at).kind != NodeKind::switch_node || hops > most_hops) return false;
    auto through = lids_through(tables, at.node, at.number, lids);
    if (!through) return false;
    if (seen.insert(out).second) open.push_back({out, std::move(*through), hops});
    return true;
  };
  const std::uint32_t first = arrived ? map.ports[port].peer : port;
  if (first == MapPort::no_peer) return std::nullopt;
  leave_by(first, {}, 0);
  for (; !open.empty(); open.pop_front()) {
    const Leaving& leaving = open.front();
    const MapNode& node = map.node_of(map.ports[leaving.port]);
    for (std::uint32_t in = node.first_port; in < node.first_port + node.ports; ++in) {
      const std::uint32_t before = map.ports[in].peer;
      if (in == leaving.port || before == MapPort::no_peer) continue;
      const bool from_switch = map.node_of(map.ports[before]).kind == NodeKind::switch_node;
      const bool is_on_a_route = !from_switch || leave_by(before, leaving.lids, leaving.hops + 1);
      const std::uint64_t errors = is_on_a_route ? receive_errors(window(in)) : 0;
      if (errors != 0 && (!best || errors > best->errors)) best = {in, errors, leaving.hops};
    }
  }
  return best;
}

void name_origins(const FabricMap& map, std::vector<Verdict>& verdicts, const WindowOf& window,
                  const LiveTables* tables) {
  for (Verdict& verdict : verdicts) {
    const bool arrived = verdict.what == info_of(Counter::receive_remote_physical_errors).name;
    const bool discarded = verdict.what == info_of(Counter::transmit_discards).name;
    if (verdict.level < Level::watch || !(arrived || discarded)) continue;
    const auto origin = origin_of_errors(map, verdict.port, arrived, window, tables);
    if (!origin) continue;
    const MapPort& at = map.ports[origin->port];
    verdict.reason += fmt::format(
        "; the most likely origin is {}, {}, which received {} packets with errors",
        port_label(untrusted_text(map.node_of(at).description), at.number),
        origin->hops == 0
            ? "at the same switch"
            : fmt::format("{} hop{} upstream", origin->hops, origin->hops == 1 ? "" : "s"),
        origin->errors);
  }
}

}  // namespace pssp
