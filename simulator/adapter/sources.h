#pragma once

// The sources of traffic at the adapters, and their current streams.

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
  uniform,  ///< a slot for the messages of a uniform sender
  message,  ///< one message of rounds, trace or player; removed when sent
  repeat,   ///< lost packets of a message or flow that had been sent
};

/// The packets of one queue pair of an adapter. The streams of an adapter form a ring.
struct Stream {
  SimulatedTime next = never;  ///< creation time of its next packet; never: none
  SimulatedTime born = never;  ///< creation time in that packet; never: time of sending
  std::uint64_t left = 0;      ///< bytes until the end of the flow or message
  std::uint32_t host = 0;
  std::uint32_t queue_pair = no_index, flow = no_index, sequence = 0;
  std::uint32_t owner = 0;  ///< index of the static flow or uniform sender
  std::uint32_t ring_next = no_index, ring_previous = no_index;
  std::uint16_t lid = 0;
  std::uint8_t level = 0, lane = 0;
  StreamKind kind = StreamKind::message;
};

/// Arrivals at a rate: the mean distance, and the last arrival.
struct ArrivalClock {
  double distance = 0, last = 0;  ///< ps
  bool poisson = false;

  double next(RandomGenerator& random);
};

/// Generates the packets of a Traffic. The arguments must outlive the object.
class Sources {
 public:
  Sources(const Traffic& traffic, const Network& network, const Addressing& addressing,
          InjectionControl& control, std::uint64_t seed);

  Stream& operator[](std::uint32_t stream) noexcept { return streams_[stream]; }
  /// The stream of a host that sends next; none: the host has no streams.
  std::uint32_t current(std::uint32_t host) const noexcept { return current_[host]; }
  /// Bytes of the stream's next packet.
  std::uint32_t packet_bytes(const Stream& stream) const noexcept {
    return stream.left < packet_bytes_ ? static_cast<std::uint32_t>(stream.left) : packet_bytes_;
  }
  /// A packet of `bytes` of the stream leaves the adapter until `end`; prepares the stream's next
  /// packet and advances to the next stream. Afterwards, the stream's number may be reused.
  void sent(std::uint32_t number, std::uint32_t bytes, SimulatedTime end);
  /// Adds a message to be sent from now on; `flow` is the record of its pair, `first` the
  /// Packet::sequence of its first packet.
  void open(Flow hosts, std::uint64_t bytes, std::uint8_t level, SimulatedTime now,
            std::uint32_t flow, std::uint32_t first = 0);

  /// Repeats a message from a given packet on, by the stream that still sends its later packets or
  /// by a new stream; or ends it. O(streams of the host).
  void repeat(Flow hosts, std::uint32_t flow, const Repeat& again, SimulatedTime now);

  std::size_t bytes() const noexcept;

 private:
  struct FixedFlow {
    ArrivalClock clock;
    RandomGenerator random;
  };
  struct UniformSender {
    std::uint32_t traffic, self;  // self: index among the destinations; none: not a destination
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
