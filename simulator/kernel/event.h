#pragma once

// Events as plain data: 24 bytes, so that nearly three fit into a cache line, and without virtual
// functions or function pointers.

#include <cstdint>

#include "simulator/simulated_time.h"

namespace pssp {

enum class SimulatorEventKind : std::uint8_t {
  arrival,    ///< subject: link; detail: packet that may now be forwarded at the link's head
  taken,      ///< subject: link to a host; detail: packet that the host has taken
  link_free,  ///< subject: link whose packet has left
  credits,    ///< subject: link whose sender gets them; detail: lane * 2^24 + number
  wake,       ///< subject: rank of a host that may have something to send now
  notice,     ///< subject: queue pair that gets the BECN; detail: rank of the sending host
  message,    ///< the next message of the trace
  round,      ///< subject: RoundTraffic whose next round begins
  timeout,    ///< subject: flow whose packet `detail` was lost
  nak,        ///< subject: flow whose receiver lacks packet `detail`
  change,     ///< subject: index of a NetworkChange, whose links fail and appear
  update,     ///< the same; detail: index of its update
};

/// Ordered by time, then by creation.
struct Event {
  SimulatedTime time = 0;
  std::uint64_t order = 0;  ///< creation number * 256 + kind
  std::uint32_t subject = 0, detail = 0;

  SimulatorEventKind kind() const noexcept { return static_cast<SimulatorEventKind>(order & 0xFF); }
};

constexpr bool before(const Event& a, const Event& b) noexcept {
  return a.time < b.time || (a.time == b.time && a.order < b.order);
}

}  // namespace pssp
