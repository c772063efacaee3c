#pragma once

// Rows of the database: what the ports of a chunk counted between two sweeps, or in a period, as
// bytes (docs/monitor_fabric.md, "History"). Rows are read without any other row. A CRC-32 ends
// each; what does not decode is refused as a whole, whatever the bytes are.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/counters/counter_set.h"
#include "monitor/counters/snapshot.h"

namespace pssp {

/// Ports of one row.
inline constexpr std::size_t chunk_ports = 128;

/// One port in one sweep.
struct PortSample {
  bool present = false;  ///< the port is in the map of that sweep
  PortStatus status = PortStatus::read;
  CounterMask known = 0;         ///< counters that say something
  CounterMask saturated = 0;     ///< of these, those that stand at their largest value
  CounterMask held = 0;          ///< of these, those with a difference to the sweep before
  std::uint64_t covered_ms = 0;  ///< time that the differences are of; only with `held`
  CounterValues delta{};         ///< of `held`; else 0
  CounterValues value{};         ///< of `known`; only rows that are absolute keep it

  bool operator==(const PortSample&) const = default;
};

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

/// At most chunk_ports ports. `covered_ms` of a port is kept to a two-thousandth, of one that
/// counted nothing to an eighth. O(ports).
std::string encode_samples(std::span<const PortSample> ports, bool absolute);
std::string encode_periods(std::span<const PeriodSample> ports);

struct SampleRow {
  bool absolute = false;
  std::vector<PortSample> ports;
};

/// Nothing where the bytes are no such row. The result is what was encoded; `value` is 0 unless the
/// row is absolute.
std::optional<SampleRow> decode_samples(std::string_view row);
std::optional<std::vector<PeriodSample>> decode_periods(std::string_view row);
/// One port of a row; a port behind its end is not present. Three times as fast.
std::optional<PortSample> decode_sample(std::string_view row, std::size_t port);
std::optional<PeriodSample> decode_period(std::string_view row, std::size_t port);

}  // namespace pssp
