// What a message takes alone is its bytes at the capacity of its narrowest link, rounded up as
// SharedLinks rounds the end of a message.

#include "applications/networks/flow_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace pssp {

FlowNetwork::FlowNetwork(const Fabric& fabric, const ForwardingTables* tables,
                         const WayDelays& delays, LinkSharing sharing, bool spread)
    : fabric_(fabric),
      ways_(fabric, tables, delays),
      capacities_(ways_.capacities()),
      links_(capacities_, sharing) {
  if (spread) minimal_.emplace(fabric);
}

const MinimalWays::Ways& FlowNetwork::divided(EndPortId from, EndPortId to) {
  const MinimalWays::Ways* ways =
      minimal_->between(fabric_.end_port(from).attached, fabric_.end_port(to).attached);
  if (ways != nullptr) return *ways;
  throw Error(ErrorKind::verification_failed,
              fmt::format("there is no way from {} to {}: they are on different islands",
                          fabric_.label(from), fabric_.label(to)));
}

double FlowNetwork::picoseconds_per_byte() const {
  return capacities_.empty() ? 1 : 1 / *std::ranges::min_element(capacities_);
}

PlayTime FlowNetwork::delay(EndPortId from, EndPortId to) {
  return minimal_ ? ways_.delay(std::size_t{divided(from, to).hops} + 2) : ways_.delay(from, to);
}

PlayTime FlowNetwork::time_alone(double bytes, EndPortId from, EndPortId to) {
  // Without tables these are the links of the hosts.
  ways_.collect(from, to, way_);
  double rate = capacities_[way_.front()];
  for (const std::uint32_t link : way_) rate = std::min(rate, capacities_[link]);
  if (minimal_) {
    for (const LinkPart& part : divided(from, to).parts) {
      rate = std::min(rate, capacities_[part.link] * LinkPart::whole / part.part);
    }
  }
  return static_cast<PlayTime>(std::ceil(bytes / rate));
}

void FlowNetwork::begin(std::uint32_t message, double bytes, EndPortId from, EndPortId to,
                        PlayTime now) {
  ways_.collect(from, to, way_);
  if (!minimal_) {
    links_.begin(message, bytes, way_, now);
    return;
  }
  const MinimalWays::Ways& ways = divided(from, to);
  parts_.assign({{way_.front()}, {way_.back()}});
  parts_.insert(parts_.end(), ways.parts.begin(), ways.parts.end());
  links_.begin_divided(message, bytes, parts_, now);
}

PlayTime FlowNetwork::next_news(PlayTime until) { return std::min(until, links_.next_end()); }

bool FlowNetwork::take_news(PlayTime now, MessageNews& news) {
  if (links_.next_end() != now) return false;
  news = {links_.take_ended(now), MessageNews::Kind::left};
  return true;
}

}  // namespace pssp
