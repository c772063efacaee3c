#include "applications/replay/rank_placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/error.h"

namespace pssp {
namespace {

void require_adapter(const RankPlacement& positions, std::uint32_t rank, unsigned asked,
                     const std::string& who) {
  const std::size_t there = positions.adapters.empty() ? 1 : positions.adapters[rank].size();
  if (asked < there) return;
  throw Error(ErrorKind::usage,
              fmt::format("{}: nic {} does not exist; the node of rank {} has {} end port{} in "
                          "traffic, nic 0 to {}",
                          who, asked, rank, there, there == 1 ? "" : "s", there - 1));
}

void require_hosts(std::uint32_t ranks, const RankPlacement& positions) {
  if (positions.hosts.size() >= ranks) return;
  throw Error(ErrorKind::usage,
              fmt::format("the application has {} ranks, but there are only {} hosts for them; use "
                          "fewer ranks, more hosts, or --ranks-per-host",
                          ranks, positions.hosts.size()));
}

}  // namespace

std::size_t end_port_room(const RankPlacement& positions) {
  std::size_t count = 0;
  const auto add = [&](EndPortId port) { count = std::max<std::size_t>(count, port.value() + 1); };
  for (const EndPortId port : positions.hosts) add(port);
  for (const std::vector<EndPortId>& node : positions.adapters) {
    for (const EndPortId port : node) add(port);
  }
  return count;
}

void require_placement(const Schedule& schedule, const RankPlacement& positions) {
  require_hosts(schedule.rank_count(), positions);
  for (std::uint32_t i = 0; i < schedule.operation_count(); ++i) {
    const Operation& operation = schedule.operation(i);
    if (operation.adapter == 0) continue;
    const std::string label = schedule.label(i);
    require_adapter(positions, schedule.rank_of(i), operation.adapter, label);
    if (operation.kind == OperationKind::send) {
      require_adapter(positions, operation.peer, operation.adapter, label);
    }
  }
}

void require_placement(const Application& application, const ApplicationExtent& extent,
                       const RankPlacement& positions) {
  require_hosts(application.ranks, positions);
  for (std::uint32_t rank = 0; rank < application.ranks; ++rank) {
    require_adapter(positions, rank, extent.adapter, fmt::format("rank {}", rank));
  }
}

}  // namespace pssp
