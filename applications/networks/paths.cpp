// The links of a path are collected from the tables once per message. The length of the path is
// needed three more times, for the delays of envelope, reply and last byte, and is cached.

#include "applications/networks/paths.h"

#include <fmt/format.h>

#include <limits>

#include "base/error.h"

namespace pssp {

MessagePaths::MessagePaths(const Fabric& fabric, const ForwardingTables* tables,
                           const PathDelays& delays)
    : fabric_(fabric), tables_(tables), delays_(delays) {
  if (tables == nullptr) return;
  if (tables->switch_count() == fabric.switch_count() && tables->max_lid() >= fabric.max_lid()) {
    return;
  }
  throw Error(ErrorKind::mismatch,
              fmt::format("the forwarding tables are for {} switches and LIDs up to {}, but the "
                          "fabric has {} and {}; save both at the same time",
                          tables->switch_count(), tables->max_lid(), fabric.switch_count(),
                          fabric.max_lid()));
}

std::uint32_t MessagePaths::link_count() const noexcept {
  return static_cast<std::uint32_t>(fabric_.channel_count() + 2 * fabric_.end_port_count());
}

std::vector<double> MessagePaths::capacities() const {
  constexpr std::uint32_t four_times_qdr = 32'000;  // Mbit/s
  constexpr double bytes_per_picosecond = 1e6 / 8 / 1e12;
  const std::uint32_t usual =
      fabric_.reference_capacity() != 0 ? fabric_.reference_capacity() : four_times_qdr;
  const auto capacity = [&](LinkRate rate) {
    return (rate.stated() ? rate.capacity() : usual) * bytes_per_picosecond;
  };
  std::vector<double> result;
  result.reserve(link_count());
  for (const LinkRate rate : fabric_.channel_rate()) result.push_back(capacity(rate));
  for (int direction = 0; direction < 2; ++direction) {
    for (const EndPort& port : fabric_.end_ports()) result.push_back(capacity(port.rate));
  }
  return result;
}

void MessagePaths::collect(EndPortId from, EndPortId to, std::vector<std::uint32_t>& links) const {
  const auto channels = static_cast<std::uint32_t>(fabric_.channel_count());
  const auto ports = static_cast<std::uint32_t>(fabric_.end_port_count());
  links.clear();
  links.push_back(channels + from.value());
  if (tables_ != nullptr) {
    SwitchId at = fabric_.end_port(from).attached;
    const Lid lid = fabric_.end_port(to).lid;
    for (std::size_t hops = 0;; ++hops) {
      const PortTarget target = fabric_.behind(at, tables_->at(at, lid));
      if (target.kind == PortTarget::Kind::end_port && target.index == to.value()) break;
      if (target.kind != PortTarget::Kind::channel || hops > fabric_.switch_count()) {
        fail(from, to);
      }
      links.push_back(target.index);
      at = SwitchId(fabric_.channel_head()[target.index]);
    }
  }
  links.push_back(channels + ports + to.value());
}

ReplayTime MessagePaths::delay(EndPortId from, EndPortId to) {
  if (lengths_.empty()) lengths_.resize(fabric_.switch_count());
  std::vector<std::uint8_t>& lengths = lengths_[fabric_.end_port(from).attached.value()];
  if (lengths.empty()) lengths.resize(fabric_.end_port_count());
  std::uint8_t& length = lengths[to.value()];
  if (length != 0) return delay(length);
  collect(from, to, scratch_);
  if (scratch_.size() <= std::numeric_limits<std::uint8_t>::max()) {
    length = static_cast<std::uint8_t>(scratch_.size());
  }
  return delay(scratch_.size());
}

std::string MessagePaths::label(std::uint32_t link) const {
  const auto channels = static_cast<std::uint32_t>(fabric_.channel_count());
  if (link < channels) return fabric_.channel_label(ChannelId(link));
  const auto ports = static_cast<std::uint32_t>(fabric_.end_port_count());
  const bool sends = link - channels < ports;
  const EndPortId port(sends ? link - channels : link - channels - ports);
  const EndPort& end = fabric_.end_port(port);
  const std::string at =
      fmt::format("{}[{}]", fabric_.switch_at(end.attached).name, end.switch_port);
  return sends ? fmt::format("{} -> {}", end.name, at) : fmt::format("{} -> {}", at, end.name);
}

void MessagePaths::fail(EndPortId from, EndPortId to) const {
  throw Error(ErrorKind::verification_failed,
              fmt::format("the tables have no route from {} to {}, to which the application sends; "
                          "route the fabric again, or leave out one of the hosts",
                          fabric_.label(from), fabric_.label(to)));
}

}  // namespace pssp
