#pragma once

// What a play asks of a network: to carry messages, and to say when their last bytes are through.

#include <cstdint>

#include "applications/schedule/playing.h"
#include "fabric/ids.h"

namespace pssp {

struct MessageEvents {
  enum class Kind : std::uint8_t {
    left,     ///< its last byte has left the sender: the next of that pair of hosts may begin
    arrived,  ///< its last byte is at the receiver
  };
  std::uint32_t message = 0;
  Kind kind = Kind::left;
};

/// Times that it is told never fall.
class MessageNetwork {
 public:
  MessageNetwork() = default;
  MessageNetwork(const MessageNetwork&) = delete;
  MessageNetwork& operator=(const MessageNetwork&) = delete;
  virtual ~MessageNetwork() = default;

  /// On its slowest link.
  virtual double picoseconds_per_byte() const = 0;
  /// Of a bit on an empty way. Throws Error(verification_failed) where there is none.
  virtual ReplayTime delay(EndPortId from, EndPortId to) = 0;
  /// Of so many bytes on a way that no one shares, less its delay.
  virtual ReplayTime time_alone(double bytes, EndPortId from, EndPortId to) = 0;
  /// Data of a message of `bytes` > 0 enters. `message` comes back in news; those of one pair of
  /// ends do not overlap.
  virtual void begin(std::uint32_t message, double bytes, EndPortId from, EndPortId to,
                     ReplayTime now) = 0;
  /// All that happens at `now` has happened.
  virtual void settle(ReplayTime now) = 0;
  /// When there is news next; `until` where there is none before.
  virtual ReplayTime next_event(ReplayTime until) = 0;
  /// Takes one piece of news of `now`, if there is one.
  virtual bool take_events(ReplayTime now, MessageEvents& events) = 0;
  /// Whether news has `arrived`; else a message has arrived its delay after it has left.
  virtual bool tells_arrivals() const = 0;
};

}  // namespace pssp
