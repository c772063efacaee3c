#include "tools/compare_fabric/recorded_topology.h"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/printable.h"
#include "base/utc_time.h"
#include "base/wall_clock.h"
#include "monitor/store/history_reader.h"

namespace pssp {

RecordedTopology recorded_topology(const std::string& file, const std::string& time) {
  const std::int64_t at = parse_time(time, wall_clock_ms());
  const HistoryReader reader(file);
  const std::optional<std::string> net = reader.net_at(at);
  if (!net) {
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}: no complete topology is stored for {}; `pssp monitor serve` and "
                            "`record --database` store them",
                            excerpt(file), utc_text(at)));
  }
  std::string name = fmt::format("{} at {}", file, utc_text(at));
  TopologyFile topology = parse_topology(*net, name);
  if (const auto map = reader.map_at(at); map && map->time_ms > at) {
    topology.warnings.push_back(
        fmt::format("{}: the history begins later; using its first topology, of {}", excerpt(name),
                    utc_text(map->time_ms)));
  }
  return {std::move(name), std::move(topology)};
}

}  // namespace pssp
