#pragma once

// Units of rates in the output of measuring programs.

#include <optional>
#include <string>
#include <string_view>

namespace pssp {

/// A default-constructed RateUnit is unknown.
struct RateUnit {
  std::string name;     ///< "Gbit/s", "MiB/s"; empty: unknown
  double gigabits = 0;  ///< Gbit/s (10^9 bits) of one; 0: unknown

  bool is_known() const noexcept { return gigabits > 0; }
  friend bool operator==(const RateUnit&, const RateUnit&) = default;
};

/// Parses bits or bytes per second with an optional decimal (k, M, G, T) or binary (Ki, Mi, Gi, Ti)
/// prefix: "Gbit/s", "Gb/sec", "Gbps", "MB/s", "MiB/s". A lower-case b is a bit. None for other
/// texts.
std::optional<RateUnit> parse_rate_unit(std::string_view text);

/// The unit of link speeds.
RateUnit gigabits_per_second();

}  // namespace pssp
