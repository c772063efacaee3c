// A stream stores only the creation time of its next packet: the packets created between then and
// now form its queue. So queues at sources are unbounded at no cost, and arrivals need no events:
// when a packet is sent, the creation time of the next one is drawn, often in the past.
//
// For flows with pauses (on, off), arrivals are drawn in the flow's sending time, and converted to
// real time. A backlogged flow in a pause has its next packet at the end of the pause.
//
// A uniform sender has one stream per concurrent message; each stream takes the next message when
// it has sent one. If the sender is also a destination, it is excluded from the draw, so that all
// other destinations are equally likely.

#include "simulator/adapter/sources.h"

#include <algorithm>
#include <cmath>

namespace pssp {
namespace {

constexpr std::uint64_t flow_purpose = 0x666c6f77;
constexpr std::uint64_t destination_purpose = 0x64657374;
constexpr std::uint64_t message_purpose = 0x6d657373;
constexpr std::uint64_t endless = std::numeric_limits<std::uint64_t>::max();

/// Picoseconds between units of `bytes` at a share of a link.
double distance_of(double bytes, double share, std::uint32_t megabits) {
  return bytes * 8e6 / (share * megabits);
}

/// Later than any run; the sum of two such times is still a valid time.
constexpr double far_away = 1e18;

/// Converts sending time to real time including pauses; `never` if the result is out of range.
SimulatedTime with_pauses(const StaticFlow& flow, double time) {
  const bool pauses = flow.on > 0 && flow.off > 0;
  const double stretch =
      pauses ? 1 + static_cast<double>(flow.off) / static_cast<double>(flow.on) : 1;
  if (!(time * stretch < far_away)) return never;
  const auto whole = static_cast<SimulatedTime>(std::llround(time));
  if (!pauses) return flow.start + whole;
  return flow.start + whole / flow.on * (flow.on + flow.off) + whole % flow.on;
}

/// The first time from `time` on outside pauses.
SimulatedTime after_pause(const StaticFlow& flow, SimulatedTime time) {
  if (flow.on <= 0 || flow.off <= 0 || time < flow.start) return time;
  const SimulatedTime phase = (time - flow.start) % (flow.on + flow.off);
  return phase < flow.on ? time : time + (flow.on + flow.off - phase);
}

std::uint32_t place_among(const std::vector<std::uint32_t>& ranks, std::uint32_t rank) {
  const auto found = std::ranges::lower_bound(ranks, rank);
  if (found == ranks.end() || *found != rank) return no_index;
  return static_cast<std::uint32_t>(found - ranks.begin());
}

}  // namespace

double ArrivalClock::next(RandomGenerator& random) {
  // 1 - x is never 0 for x in [0, 1).
  last += poisson ? -distance * std::log(1 - unit_interval(random())) : distance;
  return last;
}

Sources::Sources(const Traffic& traffic, const Network& network, const Addressing& addressing,
                 InjectionControl& control, std::uint64_t seed)
    : traffic_(traffic),
      addressing_(addressing),
      control_(control),
      packet_bytes_(traffic.packet_bytes),
      current_(network.hosts, no_index) {
  for (std::uint32_t i = 0; i < traffic.flows.size(); ++i) {
    const StaticFlow& flow = traffic.flows[i];
    const Link& link = network.links[network.from_host(flow.hosts.source)];
    FixedFlow fixed{{}, random_stream(seed, flow_purpose, i)};
    fixed.clock.poisson = flow.arrivals == Arrivals::poisson;
    fixed.clock.distance = distance_of(packet_bytes_, flow.rate, link.megabits);
    flows_.push_back(fixed);
    add_flow(i);
  }
  for (std::uint32_t i = 0; i < traffic.uniform.size(); ++i) add_uniform(i, network, seed);
}

void Sources::add_flow(std::uint32_t number) {
  const StaticFlow& flow = traffic_.flows[number];
  Stream stream;
  stream.kind = StreamKind::flow;
  stream.host = flow.hosts.source;
  stream.flow = stream.owner = number;
  stream.left = flow.bytes == 0 ? endless : flow.bytes;
  stream.next = flow.start;
  aim(stream, flow.hosts.destination, flow.level, flow.path);
  if (flow.arrivals == Arrivals::poisson) {
    FixedFlow& fixed = flows_[number];
    stream.next = with_pauses(flow, fixed.clock.next(fixed.random));
  }
  if (flow.arrivals != Arrivals::backlogged) stream.born = stream.next;
  if (stream.next < flow.stop) add(stream);
}

void Sources::add_uniform(std::uint32_t number, const Network& network, std::uint64_t seed) {
  const UniformTraffic& uniform = traffic_.uniform[number];
  for (const std::uint32_t host : uniform.senders) {
    const std::uint64_t index = std::uint64_t{number} << 32U | host;
    UniformSender sender{number,
                         place_among(uniform.destinations, host),
                         {},
                         random_stream(seed, destination_purpose, index),
                         random_stream(seed, message_purpose, index)};
    sender.clock.poisson = uniform.arrivals == Arrivals::poisson;
    sender.clock.distance =
        distance_of(double{1} * packet_bytes_ * uniform.message_packets, uniform.rate,
                    network.links[network.from_host(host)].megabits);
    // The first regular message comes at the start.
    if (uniform.arrivals == Arrivals::regular) sender.clock.last = -sender.clock.distance;
    Stream stream;
    stream.kind = StreamKind::uniform;
    stream.host = host;
    stream.owner = static_cast<std::uint32_t>(senders_.size());
    senders_.push_back(sender);
    for (std::uint32_t m = 0; m < uniform.messages; ++m) {
      next_message(stream, uniform.start);
      if (stream.next != never) add(stream);
    }
  }
}

std::uint32_t Sources::add(Stream stream) {
  auto number = static_cast<std::uint32_t>(streams_.size());
  if (free_.empty()) {
    streams_.push_back(stream);
  } else {
    number = free_.back();
    free_.pop_back();
    streams_[number] = stream;
  }
  Stream& added = streams_[number];
  std::uint32_t& turn = current_[added.host];
  if (turn == no_index) {
    added.ring_next = added.ring_previous = turn = number;
    return number;
  }
  // Inserted before the current stream, so that its turn comes last.
  added.ring_next = turn;
  added.ring_previous = streams_[turn].ring_previous;
  streams_[added.ring_previous].ring_next = number;
  streams_[turn].ring_previous = number;
  return number;
}

void Sources::remove(std::uint32_t number) {
  const Stream& stream = streams_[number];
  std::uint32_t& turn = current_[stream.host];
  if (stream.ring_next == number) {
    turn = no_index;
  } else {
    streams_[stream.ring_next].ring_previous = stream.ring_previous;
    streams_[stream.ring_previous].ring_next = stream.ring_next;
    if (turn == number) turn = stream.ring_next;
  }
  free_.push_back(number);
}

void Sources::aim(Stream& stream, std::uint32_t destination, std::uint8_t level,
                  std::uint16_t path) {
  const Address address = addressing_.of(stream.host, destination, level, path);
  stream.lid = address.lid;
  stream.level = address.level;
  stream.lane = address.lane;
  if (control_.on()) {
    stream.queue_pair = control_.queue_pair(stream.host, stream.lid, stream.level);
  }
}

void Sources::sent(std::uint32_t number, std::uint32_t bytes, SimulatedTime end) {
  Stream& stream = streams_[number];
  current_[stream.host] = stream.ring_next;
  ++stream.sequence;
  if (stream.left != endless) stream.left -= bytes;
  if (stream.left == 0 && stream.kind == StreamKind::uniform) {
    next_message(stream, end);
  } else if (stream.left == 0) {
    stream.next = never;
  } else if (stream.kind == StreamKind::flow) {
    next_of_flow(stream, end);
  }
  if (stream.next == never) remove(number);
}

void Sources::next_of_flow(Stream& stream, SimulatedTime end) {
  const StaticFlow& flow = traffic_.flows[stream.owner];
  if (flow.arrivals == Arrivals::backlogged) {
    stream.next = after_pause(flow, end);
  } else {
    FixedFlow& fixed = flows_[stream.owner];
    stream.next = stream.born = with_pauses(flow, fixed.clock.next(fixed.random));
  }
  if (stream.next >= flow.stop) stream.next = never;
}

void Sources::next_message(Stream& stream, SimulatedTime end) {
  UniformSender& sender = senders_[stream.owner];
  const UniformTraffic& uniform = traffic_.uniform[sender.traffic];
  stream.next = end;
  if (uniform.arrivals != Arrivals::backlogged) {
    const double time = sender.clock.next(sender.arrivals);
    stream.next = stream.born =
        time < far_away ? uniform.start + static_cast<SimulatedTime>(std::llround(time)) : never;
  }
  if (stream.next >= uniform.stop) {
    stream.next = never;
    return;
  }
  const auto others =
      static_cast<std::uint32_t>(uniform.destinations.size()) - (sender.self == no_index ? 0U : 1U);
  std::uint32_t drawn = sender.destinations.below(others);
  if (drawn >= sender.self) ++drawn;
  stream.left = std::uint64_t{uniform.message_packets} * packet_bytes_;
  aim(stream, uniform.destinations[drawn], uniform.level);
}

void Sources::open(Flow hosts, std::uint64_t bytes, std::uint8_t level, SimulatedTime now,
                   std::uint32_t flow, std::uint32_t first) {
  add_message(StreamKind::message, hosts, bytes, level, now, flow, first);
}

void Sources::add_message(StreamKind kind, Flow hosts, std::uint64_t bytes, std::uint8_t level,
                          SimulatedTime now, std::uint32_t flow, std::uint32_t first,
                          std::uint16_t path) {
  Stream stream;
  stream.kind = kind;
  stream.host = hosts.source;
  stream.flow = flow;
  stream.sequence = first;
  stream.left = bytes;
  stream.next = stream.born = now;
  aim(stream, hosts.destination, level, path);
  add(stream);
}

std::uint32_t Sources::find(std::uint32_t host, std::uint32_t flow, const Repeat& message) const {
  std::uint32_t at = current_[host];
  if (at == no_index) return no_index;
  do {
    const Stream& stream = streams_[at];
    if (stream.flow == flow &&
        (message.packets == 0 || stream.sequence - message.first < message.packets)) {
      return at;
    }
    at = stream.ring_next;
  } while (at != current_[host]);
  return no_index;
}

void Sources::repeat(Flow hosts, std::uint32_t flow, const Repeat& again, SimulatedTime now) {
  const std::uint32_t found = find(hosts.source, flow, again);
  if (found != no_index) {
    if (again.gives_up) return remove(found);
    streams_[found].sequence = again.sequence;
    if (again.packets != 0) streams_[found].left = again.left;
    return;
  }
  // Nobody waits for packets that an endless flow sent before it stopped.
  if (again.gives_up || again.packets == 0) return;
  const std::uint16_t path = flow < traffic_.flows.size() ? traffic_.flows[flow].path : 0;
  add_message(StreamKind::repeat, hosts, again.left, again.level, now, flow, again.sequence, path);
}

std::size_t Sources::bytes() const noexcept {
  return streams_.capacity() * sizeof(Stream) + flows_.capacity() * sizeof(FixedFlow) +
         senders_.capacity() * sizeof(UniformSender) +
         (current_.capacity() + free_.capacity()) * sizeof(std::uint32_t);
}

}  // namespace pssp
