// Differences of two readings of a port.
//
// A counter that is lower than before has wrapped or was cleared. Counters that stop at a largest
// value never wrap. 64-bit counters wrap only after years, so a wrap is accepted only if the
// difference modulo 2^64 is not more than the link can have carried in that time; anything else is
// a reset. If one counter was reset, the port was cleared or has restarted. The other counters of
// the interval are then too low by an unknown amount, even if they are larger than before, so the
// whole port has no difference.

#include "monitor/counters/rates.h"

#include <algorithm>

namespace pssp {
namespace {

constexpr double believed = 1.05;  // clocks and answers are less exact than the link
constexpr double shortest_packet = 26;
constexpr double ns_per_s = 1e9;
/// 12xXDR, for links whose rate is unknown.
constexpr double fastest_mbits = 12 * 200'000.0;
constexpr double word_bytes = 4;

double bytes_per_ns(const LinkRate& rate) {
  const double mbits = rate.stated() ? static_cast<double>(rate.capacity()) : fastest_mbits;
  return mbits * 1e6 / 8 / ns_per_s;
}

double capacity(const Snapshot& snapshot, std::uint32_t port) {
  return bytes_per_ns(snapshot.map->ports[port].rate);
}

/// Converts ticks of PortXmitWait to words of four bytes, rounded down, without overflow. The
/// length of a tick depends on the node. Converting only here makes rates, sums and shares agree
/// for all tick lengths, while counters keep the values of the node.
std::uint64_t text_of(std::uint64_t ticks, unsigned tick_bytes) {
  constexpr auto bytes = static_cast<unsigned>(word_bytes);
  return ticks / bytes * tick_bytes + ticks % bytes * tick_bytes / bytes;
}

/// The limits for the differences of one port. A counter that rose by more than the link can carry
/// belongs to a corrupted answer or to another node. No counter increases more than once per byte
/// on the link, and packets have at least 26 bytes (LRH, BTH, both CRCs).
struct Interval {
  double bytes_at_most = 0;

  double most(Counter counter) const {
    return info_of(counter).unit == CounterUnit::packets ? bytes_at_most / shortest_packet
                                                         : bytes_at_most;
  }
};

void add_counter(const Interval& interval, Counter counter, bool narrow, std::uint64_t before,
                 std::uint64_t after, PortDifference& difference) {
  const CounterMask bit = mask_of(counter);
  if (after < before && narrow) {
    difference.reset |= bit;
    return;
  }
  const std::uint64_t delta = after - before;  // modulo 2^64
  if (static_cast<double>(delta) > interval.most(counter)) {
    (after < before ? difference.reset : difference.implausible) |= bit;
    return;
  }
  difference.known |= bit;
  difference.delta[static_cast<std::size_t>(counter)] = delta;
}

PortDifference difference_of(const Snapshot& before, std::uint32_t was, const Snapshot& after,
                             std::uint32_t is) {
  PortDifference difference;
  const bool both_read =
      before.status[was] == PortStatus::read && after.status[is] == PortStatus::read;
  if (!both_read || after.read_ns[is] <= before.read_ns[was]) return difference;
  if (!after.comparable_since.empty() && before.sweep < after.comparable_since[is]) {
    return difference;
  }
  difference.ns = static_cast<std::uint64_t>(after.read_ns[is] - before.read_ns[was]);
  difference.saturated = after.saturated[is];
  const double rate = std::max(capacity(before, was), capacity(after, is));
  const Interval interval{believed * rate * static_cast<double>(difference.ns)};
  // A node whose counters change their width is another node.
  const CounterMask same_width = ~(before.narrow[was] ^ after.narrow[is]);
  const CounterMask comparable =
      before.known[was] & after.known[is] & same_width & ~after.saturated[is];
  const auto old_values = before.counters(was);
  const auto new_values = after.counters(is);
  for (std::size_t i = 0; i < counter_count; ++i) {
    const auto counter = static_cast<Counter>(i);
    if ((comparable & mask_of(counter)) == 0) continue;
    const bool narrow = (after.narrow[is] & mask_of(counter)) != 0;
    add_counter(interval, counter, narrow, old_values[i], new_values[i], difference);
  }
  if (difference.reset != 0) {
    difference.known = 0;
    difference.delta = {};
  }
  if (!after.tick_bytes.empty() && after.tick_bytes[is] != 0) {
    std::uint64_t& waited = difference.delta[static_cast<std::size_t>(Counter::transmit_wait)];
    waited = text_of(waited, after.tick_bytes[is]);
  }
  return difference;
}

}  // namespace

std::vector<PortDifference> differences(const Snapshot& before, const Snapshot& after) {
  std::vector<PortDifference> all(after.map->ports.size());
  const bool same_map = before.map == after.map;
  for (std::uint32_t port = 0; port < all.size(); ++port) {
    const MapPort& is = after.map->ports[port];
    const std::optional<std::uint32_t> was =
        same_map ? std::optional(port)
                 : before.map->find_port(after.map->node_of(is).guid, is.number);
    if (was) all[port] = difference_of(before, *was, after, port);
  }
  return all;
}

double utilisation(const PortDifference& difference, Counter data, const LinkRate& rate) {
  if (difference.ns == 0 || !difference.has(data) || !rate.stated()) return -1;
  return std::min(1.0, difference.per_second(data) / (bytes_per_ns(rate) * ns_per_s));
}

double waiting_share(const PortDifference& difference) {
  const bool known =
      difference.has(Counter::transmit_wait) && difference.has(Counter::transmit_bytes);
  if (difference.ns == 0 || !known) return -1;
  const auto waited = static_cast<double>(difference.of(Counter::transmit_wait));
  const double sent = static_cast<double>(difference.of(Counter::transmit_bytes)) / word_bytes;
  return waited == 0 ? 0 : waited / (waited + sent);
}

}  // namespace pssp
