// The time of a message alone is its bytes divided by the capacity of its narrowest link, rounded
// up as in SharedLinks.

#include "applications/networks/flow_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace pssp {

FlowNetwork::FlowNetwork(const Fabric& fabric, const ForwardingTables* tables,
                         const PathDelays& delays, LinkSharing sharing, bool spread)
    : fabric_(fabric),
      paths_(fabric, tables, delays),
      capacities_(paths_.capacities()),
      links_(capacities_, sharing) {
  if (spread) minimal_.emplace(fabric);
}

const MinimalPaths::AllPaths& FlowNetwork::divided(EndPortId from, EndPortId to) {
  const MinimalPaths::AllPaths* paths =
      minimal_->between(fabric_.end_port(from).attached, fabric_.end_port(to).attached);
  if (paths != nullptr) return *paths;
  throw Error(ErrorKind::verification_failed,
              fmt::format("there is no path from {} to {}: they are on different islands",
                          fabric_.label(from), fabric_.label(to)));
}

double FlowNetwork::picoseconds_per_byte() const {
  return capacities_.empty() ? 1 : 1 / *std::ranges::min_element(capacities_);
}

ReplayTime FlowNetwork::delay(EndPortId from, EndPortId to) {
  return minimal_ ? paths_.delay(std::size_t{divided(from, to).hops} + 2) : paths_.delay(from, to);
}

ReplayTime FlowNetwork::time_alone(double bytes, EndPortId from, EndPortId to) {
  // Without tables, these are the links of the hosts.
  paths_.collect(from, to, path_);
  double rate = capacities_[path_.front()];
  for (const std::uint32_t link : path_) rate = std::min(rate, capacities_[link]);
  if (minimal_) {
    for (const LinkPart& part : divided(from, to).parts) {
      rate = std::min(rate, capacities_[part.link] * LinkPart::whole / part.part);
    }
  }
  return static_cast<ReplayTime>(std::ceil(bytes / rate));
}

void FlowNetwork::begin(std::uint32_t message, double bytes, EndPortId from, EndPortId to,
                        ReplayTime now) {
  paths_.collect(from, to, path_);
  if (!minimal_) {
    links_.begin(message, bytes, path_, now);
    return;
  }
  const MinimalPaths::AllPaths& paths = divided(from, to);
  parts_.assign({{path_.front()}, {path_.back()}});
  parts_.insert(parts_.end(), paths.parts.begin(), paths.parts.end());
  links_.begin_divided(message, bytes, parts_, now);
}

ReplayTime FlowNetwork::next_event(ReplayTime until) { return std::min(until, links_.next_end()); }

bool FlowNetwork::take_events(ReplayTime now, MessageEvents& events) {
  if (links_.next_end() != now) return false;
  events = {links_.take_ended(now), MessageEvents::Kind::left};
  return true;
}

}  // namespace pssp
