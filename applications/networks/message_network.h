#pragma once

// The interface of networks for simulated schedules: carries messages, and reports when their last
// bytes have passed.

#include <cstdint>

#include "applications/schedule/playing.h"
#include "fabric/ids.h"

namespace pssp {

struct MessageEvents {
  enum class Kind : std::uint8_t {
    left,     ///< its last byte has left the sender: the pair's next message may begin
    arrived,  ///< its last byte has reached the receiver
  };
  std::uint32_t message = 0;
  Kind kind = Kind::left;
};

/// Times in successive calls must not decrease.
class MessageNetwork {
 public:
  MessageNetwork() = default;
  MessageNetwork(const MessageNetwork&) = delete;
  MessageNetwork& operator=(const MessageNetwork&) = delete;
  virtual ~MessageNetwork() = default;

  /// On its slowest link.
  virtual double picoseconds_per_byte() const = 0;
  /// Of a bit on an idle path. Throws Error(verification_failed) if there is no path.
  virtual ReplayTime delay(EndPortId from, EndPortId to) = 0;
  /// Of `bytes` on an idle path, without its delay.
  virtual ReplayTime time_alone(double bytes, EndPortId from, EndPortId to) = 0;
  /// Data of a message of `bytes` > 0 enters the network. `message` identifies it in events;
  /// messages of one pair of ends must not overlap.
  virtual void begin(std::uint32_t message, double bytes, EndPortId from, EndPortId to,
                     ReplayTime now) = 0;
  /// Called after all events at `now`.
  virtual void settle(ReplayTime now) = 0;
  /// Time of the next event; `until` if there is none before.
  virtual ReplayTime next_event(ReplayTime until) = 0;
  /// Removes one event at `now`; returns false if there is none.
  virtual bool take_events(ReplayTime now, MessageEvents& events) = 0;
  /// Whether events include `arrived`; otherwise a message arrives one delay after it has left.
  virtual bool tells_arrivals() const = 0;
};

}  // namespace pssp
