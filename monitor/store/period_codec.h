#pragma once

// Rows of the database: what the ports of a chunk counted in a period of five minutes or an hour,
// as bytes. What sample_codec.h says of rows holds for these, too.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/counters/counter_set.h"

namespace pssp {

/// Counters of which the largest interval of a period is kept, too.
inline constexpr std::array<Counter, 3> peak_counters{
    Counter::transmit_bytes, Counter::receive_bytes, Counter::transmit_wait};

/// One port in one period.
struct PeriodSample {
  CounterMask known = 0;   ///< counters with a sum
  CounterMask partly = 0;  ///< of these, those that lack some of the sweeps
  std::uint64_t covered_ms = 0;
  CounterValues sum{};  ///< of `known`; else 0
  /// Of peak_counters, a second, in the busiest interval: kept to 1.1 %; 0 where the sum is 0.
  std::array<double, peak_counters.size()> peak{};

  bool operator==(const PeriodSample&) const = default;
};

/// At most chunk_ports ports. O(ports).
std::string encode_periods(std::span<const PeriodSample> ports);

/// Nothing where the bytes are no such row. The result is what was encoded.
std::optional<std::vector<PeriodSample>> decode_periods(std::string_view row);
/// One port of a row; a port behind its end has no sums. Three times as fast.
std::optional<PeriodSample> decode_period(std::string_view row, std::size_t port);

}  // namespace pssp
