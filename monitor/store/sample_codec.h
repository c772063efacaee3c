#pragma once

// Encodes what the ports of a chunk counted between two sweeps (docs/reference/monitor-database.md,
// "Tables"). Each row can be decoded on its own and ends with a CRC-32. Rows with arbitrary invalid
// bytes are rejected as a whole.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/counters/counter_set.h"
#include "monitor/counters/snapshot.h"

namespace pssp {

/// Number of ports per row.
inline constexpr std::size_t chunk_ports = 128;

/// One port in one sweep.
struct PortSample {
  bool present = false;  ///< the port is in the map of that sweep
  PortStatus status = PortStatus::read;
  CounterMask known = 0;      ///< counters that the port supports and that were read
  CounterMask saturated = 0;  ///< subset of `known` that is at its largest value
  /// subset of `known` that has a difference from the previous sweep
  CounterMask held = 0;
  /// time that the differences cover; valid only if `held` is not empty
  std::uint64_t covered_ms = 0;
  CounterValues delta{};  ///< 0 for counters that are not in `held`
  CounterValues value{};  ///< for counters in `known`; stored in absolute rows only

  bool operator==(const PortSample&) const = default;
};

/// Encodes at most chunk_ports ports. `covered_ms` is kept to within 1/2048, or 1/8 for a port that
/// counted nothing. O(ports).
std::string encode_samples(std::span<const PortSample> ports, bool absolute);

struct SampleRow {
  bool absolute = false;
  std::vector<PortSample> ports;
};

/// Nothing if the bytes are not a valid row. `value` is 0 unless the row is absolute.
std::optional<SampleRow> decode_samples(std::string_view row);
/// Decodes one port of a row, three times as fast as the whole row. A port after the end of the row
/// is not present.
std::optional<PortSample> decode_sample(std::string_view row, std::size_t port);

}  // namespace pssp
