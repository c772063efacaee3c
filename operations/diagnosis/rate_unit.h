#pragma once

// Units of rates, as measuring programs print them.

#include <optional>
#include <string>
#include <string_view>

namespace pssp {

/// A default-constructed RateUnit is "not known".
struct RateUnit {
  std::string name;     ///< "Gbit/s", "MiB/s"; empty: not known
  double gigabits = 0;  ///< Gbit/s (10^9 bits) of one; 0: not known

  bool is_known() const noexcept { return gigabits > 0; }
  friend bool operator==(const RateUnit&, const RateUnit&) = default;
};

/// Reads bits or bytes per second with an optional decimal (k, M, G, T) or binary (Ki, Mi, Gi, Ti)
/// prefix: "Gbit/s", "Gb/sec", "Gbps", "MB/s", "MiB/s". A small b is a bit. Nothing where the text
/// is no such unit.
std::optional<RateUnit> parse_rate_unit(std::string_view text);

/// Bits: what the speeds of links are stated in.
RateUnit gigabits_per_second();

}  // namespace pssp
