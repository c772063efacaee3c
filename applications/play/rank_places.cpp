#include "applications/play/rank_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/error.h"

namespace pssp {
namespace {

void require_adapter(const RankPlaces& places, std::uint32_t rank, unsigned asked,
                     const std::string& who) {
  const std::size_t there = places.adapters.empty() ? 1 : places.adapters[rank].size();
  if (asked < there) return;
  throw Error(ErrorKind::usage,
              fmt::format("{}: nic {} is asked for; the node of rank {} has {} end port{} in "
                          "traffic, nic 0 to {}",
                          who, asked, rank, there, there == 1 ? "" : "s", there - 1));
}

void require_hosts(std::uint32_t ranks, const RankPlaces& places) {
  if (places.hosts.size() >= ranks) return;
  throw Error(ErrorKind::usage,
              fmt::format("the application has {} ranks, and there are {} hosts for them; fewer "
                          "ranks, more hosts, or --ranks-per-host",
                          ranks, places.hosts.size()));
}

}  // namespace

std::size_t end_port_room(const RankPlaces& places) {
  std::size_t count = 0;
  const auto add = [&](EndPortId port) { count = std::max<std::size_t>(count, port.value() + 1); };
  for (const EndPortId port : places.hosts) add(port);
  for (const std::vector<EndPortId>& node : places.adapters) {
    for (const EndPortId port : node) add(port);
  }
  return count;
}

void require_places(const Schedule& schedule, const RankPlaces& places) {
  require_hosts(schedule.rank_count(), places);
  for (std::uint32_t i = 0; i < schedule.operation_count(); ++i) {
    const Operation& operation = schedule.operation(i);
    if (operation.adapter == 0) continue;
    const std::string label = schedule.label(i);
    require_adapter(places, schedule.rank_of(i), operation.adapter, label);
    if (operation.kind == OperationKind::send) {
      require_adapter(places, operation.peer, operation.adapter, label);
    }
  }
}

void require_places(const Application& application, const ApplicationExtent& extent,
                    const RankPlaces& places) {
  require_hosts(application.ranks, places);
  for (std::uint32_t rank = 0; rank < application.ranks; ++rank) {
    require_adapter(places, rank, extent.adapter, fmt::format("rank {}", rank));
  }
}

}  // namespace pssp
