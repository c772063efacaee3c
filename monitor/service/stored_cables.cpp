// Reads maps from the newest to the oldest, because a link may have gone down long before the last
// change of the fabric.

#include "monitor/service/stored_cables.h"

#include <limits>
#include <set>
#include <utility>

#include "base/error.h"
#include "monitor/analysis/incident_parts.h"
#include "monitor/store/history_reader.h"

namespace pssp {
namespace {

/// Limits the time to start the daemon. If the map has changed more often since the link went down,
/// the other end stays unknown.
constexpr int most_earlier_maps = 200;

std::map<PortKey, IncidentPort> peers_of(const HistoryReader& reader, std::set<PortKey> ports) {
  std::map<PortKey, IncidentPort> peers;
  std::int64_t time_ms = std::numeric_limits<std::int64_t>::max();
  for (int maps = 0; maps < most_earlier_maps && !ports.empty(); ++maps) {
    const auto map = reader.map_at(time_ms);
    if (map == nullptr || map->time_ms > time_ms) break;
    time_ms = map->time_ms - 1;
    std::erase_if(ports, [&](PortKey key) {
      const auto port = map->find_port(key.node, key.number);
      if (!port || map->ports[*port].peer == MapPort::no_peer) return false;
      peers[key] = incident_port(*map, map->ports[*port].peer);
      return true;
    });
  }
  return peers;
}

}  // namespace

std::map<PortKey, IncidentPort> stored_peers(const std::filesystem::path& database,
                                             const std::vector<VerdictRecord>& standing) {
  std::set<PortKey> ports;
  for (const VerdictRecord& each : standing) {
    if (each.what == link_state) ports.insert(each.port);
  }
  if (ports.empty()) return {};
  try {
    return peers_of(HistoryReader(database), std::move(ports));
  } catch (const Error&) {
    return {};
  }
}

}  // namespace pssp
