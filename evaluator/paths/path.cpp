#include "evaluator/paths/path.h"

#include <algorithm>

namespace pssp {
namespace {

/// Where a packet from this end enters the switches; `port` is 0 for a switch's own packets.
struct Entrance {
  SwitchId at;
  PortNumber port = management_port;
};

Entrance entrance(const Fabric& fabric, LidOwner owner) {
  if (owner.kind != LidOwner::Kind::end_port) return {SwitchId(owner.index), management_port};
  const EndPort& port = fabric.end_port(EndPortId(owner.index));
  return {port.attached, port.switch_port};
}

PathOutcome outcome_at(PortTarget target, PortNumber out_port, bool delivered) {
  if (delivered) return PathOutcome::arrives;
  if (out_port == no_port) return PathOutcome::no_entry;
  return target.kind == PortTarget::Kind::none ? PathOutcome::dead_port : PathOutcome::wrong_port;
}

}  // namespace

std::size_t Path::hops() const noexcept {
  return static_cast<std::size_t>(std::count_if(
      steps.begin(), steps.end(), [](const PathStep& step) { return step.channel.valid(); }));
}

Path path_of(const Fabric& fabric, const ForwardingTables& tables, PathEnd source,
             PathEnd destination) {
  Path path{source, destination, PathOutcome::arrives, {}};
  if (source.owner.kind == LidOwner::Kind::end_port &&
      destination.owner.kind == LidOwner::Kind::end_port &&
      source.owner.index == destination.owner.index) {
    return path;
  }
  Entrance here = entrance(fabric, source.owner);
  const Delivery delivery = fabric.delivery(destination.lid);
  if (!here.at.valid()) {
    path.outcome = PathOutcome::source_not_cabled;
    return path;
  }
  if (!delivery.at.valid()) {
    path.outcome = PathOutcome::destination_not_cabled;
    return path;
  }
  std::vector<bool> passed(fabric.switch_count(), false);
  for (;;) {
    passed[here.at.value()] = true;
    const PortNumber out =
        destination.lid <= tables.max_lid() ? tables.at(here.at, destination.lid) : no_port;
    const PortTarget target = fabric.behind(here.at, out);
    path.steps.push_back({here.at, here.port, out, {}});
    if (target.kind != PortTarget::Kind::channel) {
      path.outcome = outcome_at(target, out, here.at == delivery.at && out == delivery.port);
      return path;
    }
    path.steps.back().channel = ChannelId(target.index);
    here = {SwitchId(fabric.channel_head()[target.index]), fabric.channel_in_port()[target.index]};
    if (passed[here.at.value()]) {
      path.outcome = PathOutcome::loop;
      return path;
    }
  }
}

}  // namespace pssp
