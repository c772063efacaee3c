#pragma once

// The sources of traffic at the adapters, and the streams that they send now.

#include <cstdint>
#include <limits>
#include <vector>

#include "base/no_index.h"
#include "base/random.h"
#include "simulator/adapter/addressing.h"
#include "simulator/congestion/injection_control.h"
#include "simulator/delivery/reliable_delivery.h"
#include "simulator/network/network.h"
#include "simulator/traffic/traffic.h"

namespace pssp {

enum class StreamKind : std::uint8_t {
  flow,     ///< a static flow
  uniform,  ///< a place for the messages of a uniform sender
  message,  ///< one message of rounds, trace or player; gone once it is sent
  repeat,   ///< what was lost of a message or flow that had been sent
};

/// What one queue pair of an adapter sends. The streams of an adapter form a ring.
struct Stream {
  SimulatedTime next = never;  ///< its next packet exists from then on; never: it has none
  SimulatedTime born = never;  ///< of that packet; never: when it is sent
  std::uint64_t left = 0;      ///< bytes until the flow or message ends
  std::uint32_t host = 0;
  std::uint32_t queue_pair = no_index, flow = no_index, sequence = 0;
  std::uint32_t owner = 0;  ///< number of the static flow or uniform sender
  std::uint32_t ring_next = no_index, ring_previous = no_index;
  std::uint16_t lid = 0;
  std::uint8_t level = 0, lane = 0;
  StreamKind kind = StreamKind::message;
};

/// When packets come that come at a rate: their distance in the mean, and the last of them.
struct ArrivalClock {
  double distance = 0, last = 0;  ///< ps
  bool poisson = false;

  double next(RandomGenerator& random);
};

/// Plays a Traffic. The arguments must outlive the object.
class Sources {
 public:
  Sources(const Traffic& traffic, const Network& network, const Addressing& addressing,
          InjectionControl& control, std::uint64_t seed);

  Stream& operator[](std::uint32_t stream) noexcept { return streams_[stream]; }
  /// The stream of a host whose turn it is; none: it has no streams.
  std::uint32_t current(std::uint32_t host) const noexcept { return current_[host]; }
  /// Bytes of the stream's next packet.
  std::uint32_t packet_bytes(const Stream& stream) const noexcept {
    return stream.left < packet_bytes_ ? static_cast<std::uint32_t>(stream.left) : packet_bytes_;
  }
  /// The stream's packet of so many bytes leaves the adapter until `end`; what comes next is
  /// prepared, and the turn passes on to the next stream. The number of the stream may be given
  /// away.
  void sent(std::uint32_t number, std::uint32_t bytes, SimulatedTime end);
  /// A message to be sent from now on; the record of its pair is `flow`, Packet::sequence of its
  /// first packet is `first`.
  void open(Flow hosts, std::uint64_t bytes, std::uint8_t level, SimulatedTime now,
            std::uint32_t flow, std::uint32_t first = 0);

  /// A message is sent from a packet on that was sent already, by the stream that still sends what
  /// lies behind it, or by one of its own; or no more. O(streams of the host).
  void repeat(Flow hosts, std::uint32_t flow, const Repeat& again, SimulatedTime now);

  std::size_t bytes() const noexcept;

 private:
  struct FixedFlow {
    ArrivalClock clock;
    RandomGenerator random;
  };
  struct UniformSender {
    std::uint32_t traffic, self;  // self: place among the destinations; none: it is not there
    ArrivalClock clock;
    RandomGenerator destinations, arrivals;
  };

  std::uint32_t add(Stream stream);
  void add_message(StreamKind kind, Flow hosts, std::uint64_t bytes, std::uint8_t level,
                   SimulatedTime now, std::uint32_t flow, std::uint32_t first,
                   std::uint16_t path = 0);
  void remove(std::uint32_t number);
  std::uint32_t find(std::uint32_t host, std::uint32_t flow, const Repeat& message) const;
  void aim(Stream& stream, std::uint32_t destination, std::uint8_t level, std::uint16_t path = 0);
  void add_flow(std::uint32_t number);
  void add_uniform(std::uint32_t number, const Network& network, std::uint64_t seed);
  void next_of_flow(Stream& stream, SimulatedTime end);
  void next_message(Stream& stream, SimulatedTime end);

  const Traffic& traffic_;
  const Addressing& addressing_;
  InjectionControl& control_;
  std::uint32_t packet_bytes_;
  std::vector<Stream> streams_;
  std::vector<std::uint32_t> current_, free_;
  std::vector<FixedFlow> flows_;
  std::vector<UniformSender> senders_;
};

}  // namespace pssp
