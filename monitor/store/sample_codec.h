#pragma once

// Rows of the database: what the ports of a chunk counted between two sweeps, as bytes
// (docs/reference/monitor-database.md, "Tables"). Rows are read without any other row. A CRC-32
// ends each; what does not decode is refused as a whole, whatever the bytes are.

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

/// At most chunk_ports ports. `covered_ms` of a port is kept to a two-thousandth, of one that
/// counted nothing to an eighth. O(ports).
std::string encode_samples(std::span<const PortSample> ports, bool absolute);

struct SampleRow {
  bool absolute = false;
  std::vector<PortSample> ports;
};

/// Nothing where the bytes are no such row. The result is what was encoded; `value` is 0 unless the
/// row is absolute.
std::optional<SampleRow> decode_samples(std::string_view row);
/// One port of a row; a port behind its end is not present. Three times as fast.
std::optional<PortSample> decode_sample(std::string_view row, std::size_t port);

}  // namespace pssp
