#include "congestion/injection_delay.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"

namespace pssp {

CctEntry nearest_entry(double delay_in_packets) {
  // The form of the condition also rejects NaN.
  if (!(delay_in_packets >= 0 && delay_in_packets <= largest_delay_in_packets)) {
    throw Error(ErrorKind::usage,
                fmt::format("a delay of {} packet times is out of range; an entry of the table "
                            "holds 0 .. {}",
                            delay_in_packets, cc_limits::multiplier));
  }
  // Start with the finest step that reaches this delay.
  std::uint32_t shift = cc_limits::shift;
  double steps = std::round(std::ldexp(delay_in_packets, static_cast<int>(shift)));
  while (steps > cc_limits::multiplier) {
    --shift;
    steps = std::round(std::ldexp(delay_in_packets, static_cast<int>(shift)));
  }
  // Then use coarser steps while the delay stays the same.
  auto multiplier = static_cast<std::uint32_t>(steps);
  while (shift > 0 && multiplier % 2 == 0) {
    --shift;
    multiplier /= 2;
  }
  return {static_cast<std::uint8_t>(shift), static_cast<std::uint16_t>(multiplier)};
}

double packet_time_ns(std::uint32_t mtu, LinkRate rate) {
  const double bits = 8.0 * (mtu + packet_overhead_bytes);
  return bits * 1000 / rate.capacity();
}

}  // namespace pssp
