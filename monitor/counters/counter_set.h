#pragma once

// The counters of every port: their units, and their names in each interface. A single table, so
// that collector, database, pages and metrics agree.
//
// Sources: InfiniBand architecture 1.3, 16.1.3.5 (PortCounters) and 16.1.4.11
// (PortCountersExtended); names of the metrics as treydock/infiniband_exporter has them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fabric/ids.h"
#include "wire/performance/port_counters.h"

namespace pssp {

/// The order of the bits in masks and of the columns in the database, so new counters must be at
/// the end.
enum class Counter : std::uint8_t {
  transmit_bytes,
  receive_bytes,
  transmit_packets,
  receive_packets,
  unicast_transmit_packets,
  unicast_receive_packets,
  multicast_transmit_packets,
  multicast_receive_packets,
  transmit_wait,
  symbol_errors,
  link_error_recoveries,
  link_downed,
  receive_errors,
  receive_remote_physical_errors,
  receive_switch_relay_errors,
  transmit_discards,
  transmit_constraint_errors,
  receive_constraint_errors,
  local_link_integrity_errors,
  excessive_buffer_overruns,
  qp1_dropped,
  vl15_dropped,
};
inline constexpr std::size_t counter_count = 22;

/// One bit a counter.
using CounterMask = std::uint32_t;
constexpr CounterMask mask_of(Counter counter) noexcept {
  return CounterMask{1} << static_cast<unsigned>(counter);
}
inline constexpr CounterMask all_counters = (CounterMask{1} << counter_count) - 1;

enum class CounterUnit : std::uint8_t { bytes, packets, ticks, events };

struct CounterInfo {
  Counter counter;
  std::string_view name;       ///< in JSON, CSV, lists and the database: lower case, underscores
  std::string_view wire_name;  ///< as in the specification and in perfquery
  std::string_view metric;     ///< the <what> of infiniband_switch_port_<what>_total
  CounterUnit unit;
  /// The counter in an answer, where data counters are in words of four bytes.
  std::uint64_t PortCounters::*on_wire;
  /// The bit of the counter in CounterSelect and, from bit 16 on, in CounterSelect2 of
  /// PortCounters, which perfquery takes as one mask; 0: not known, or not in PortCounters.
  std::uint32_t select_mask;
};

/// One of each counter, in the order of Counter.
const std::array<CounterInfo, counter_count>& counter_table();
inline const CounterInfo& info_of(Counter counter) {
  return counter_table()[static_cast<std::size_t>(counter)];
}
/// By CounterInfo::name.
std::optional<Counter> find_counter(std::string_view name);

/// The command that clears only this counter of a port: "perfquery -R 12 3 0x10000". If select_mask
/// is 0, the command clears all counters of the port.
std::string clear_command(Counter counter, Lid lid, PortNumber port);

/// Values of one port, by Counter; byte counters are in bytes.
using CounterValues = std::array<std::uint64_t, counter_count>;

}  // namespace pssp
