#pragma once

// Link width and signaling rate of a port, and the resulting capacity.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pssp {

/// Width in lanes and data rate per lane. A default-constructed LinkRate is unknown.
struct LinkRate {
  std::uint8_t lanes = 0;               ///< 1, 2, 4, 8 or 12; 0: unknown
  std::uint32_t megabits_per_lane = 0;  ///< data rate after line coding, Mbit/s; 0: unknown

  constexpr bool stated() const noexcept { return lanes != 0 && megabits_per_lane != 0; }
  /// Mbit/s of one direction of the link, 0 if unknown.
  constexpr std::uint32_t capacity() const noexcept { return lanes * megabits_per_lane; }
  friend constexpr bool operator==(LinkRate, LinkRate) noexcept = default;
};

/// Parses the notation of ibnetdiscover, e.g. "4xHDR" or "12xFDR10". None for other texts.
std::optional<LinkRate> parse_link_rate(std::string_view text);

/// The notation of ibnetdiscover; empty if the rate is unknown or has no such name.
std::string to_string(LinkRate rate);

}  // namespace pssp
