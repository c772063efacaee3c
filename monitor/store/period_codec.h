#pragma once

// Encodes what the ports of a chunk counted in a period of five minutes or an hour. The properties
// of rows in sample_codec.h hold here, too.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/counters/counter_set.h"

namespace pssp {

/// Counters for which the largest rate in a period is kept.
inline constexpr std::array<Counter, 3> peak_counters{
    Counter::transmit_bytes, Counter::receive_bytes, Counter::transmit_wait};

/// One port in one period.
struct PeriodSample {
  CounterMask known = 0;   ///< counters that have a sum
  CounterMask partly = 0;  ///< subset of `known` that lacks some of the sweeps
  std::uint64_t covered_ms = 0;
  CounterValues sum{};  ///< 0 for counters that are not in `known`
  /// Largest rate per second of each of peak_counters, to within 1.1 %; 0 if the sum is 0.
  std::array<double, peak_counters.size()> peak{};

  bool operator==(const PeriodSample&) const = default;
};

/// Encodes at most chunk_ports ports. O(ports).
std::string encode_periods(std::span<const PeriodSample> ports);

/// Nothing if the bytes are not a valid row.
std::optional<std::vector<PeriodSample>> decode_periods(std::string_view row);
/// Decodes one port of a row, three times as fast as the whole row. A port after the end of the row
/// has no sums.
std::optional<PeriodSample> decode_period(std::string_view row, std::size_t port);

}  // namespace pssp
