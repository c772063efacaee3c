#include "monitor/counters/counter_set.h"

#include <fmt/format.h>

#include <algorithm>

namespace pssp {
namespace {

/// The bit of the counter in CounterSelect and, from bit 16 on, in CounterSelect2, which perfquery
/// takes as one mask; 0: not known. Source: InfiniBand architecture 1.3, 16.1.3.5.
std::uint32_t select_bit(Counter counter) {
  switch (counter) {
    case Counter::symbol_errors:
      return 1U << 0U;
    case Counter::link_error_recoveries:
      return 1U << 1U;
    case Counter::link_downed:
      return 1U << 2U;
    case Counter::receive_errors:
      return 1U << 3U;
    case Counter::receive_remote_physical_errors:
      return 1U << 4U;
    case Counter::receive_switch_relay_errors:
      return 1U << 5U;
    case Counter::transmit_discards:
      return 1U << 6U;
    case Counter::transmit_constraint_errors:
      return 1U << 7U;
    case Counter::receive_constraint_errors:
      return 1U << 8U;
    case Counter::local_link_integrity_errors:
      return 1U << 9U;
    case Counter::excessive_buffer_overruns:
      return 1U << 10U;
    case Counter::vl15_dropped:
      return 1U << 11U;
    case Counter::transmit_wait:
      return 1U << 16U;
    default:
      return 0;
  }
}

}  // namespace

const std::array<CounterInfo, counter_count>& counter_table() {
  using enum Counter;
  using enum CounterUnit;
  using P = PortCounters;
  static const std::array<CounterInfo, counter_count> table{{
      {transmit_bytes, "transmit_bytes", "PortXmitData", "transmit_data_bytes", bytes,
       &P::transmit_words},
      {receive_bytes, "receive_bytes", "PortRcvData", "receive_data_bytes", bytes,
       &P::receive_words},
      {transmit_packets, "transmit_packets", "PortXmitPkts", "transmit_packets", packets,
       &P::transmit_packets},
      {receive_packets, "receive_packets", "PortRcvPkts", "receive_packets", packets,
       &P::receive_packets},
      {unicast_transmit_packets, "unicast_transmit_packets", "PortUnicastXmitPkts",
       "unicast_transmit_packets", packets, &P::unicast_transmit_packets},
      {unicast_receive_packets, "unicast_receive_packets", "PortUnicastRcvPkts",
       "unicast_receive_packets", packets, &P::unicast_receive_packets},
      {multicast_transmit_packets, "multicast_transmit_packets", "PortMulticastXmitPkts",
       "multicast_transmit_packets", packets, &P::multicast_transmit_packets},
      {multicast_receive_packets, "multicast_receive_packets", "PortMulticastRcvPkts",
       "multicast_receive_packets", packets, &P::multicast_receive_packets},
      {transmit_wait, "transmit_wait", "PortXmitWait", "transmit_wait", ticks, &P::transmit_wait},
      {symbol_errors, "symbol_errors", "SymbolErrorCounter", "symbol_error", events,
       &P::symbol_errors},
      {link_error_recoveries, "link_error_recoveries", "LinkErrorRecoveryCounter",
       "link_error_recovery", events, &P::link_error_recoveries},
      {link_downed, "link_downed", "LinkDownedCounter", "link_downed", events, &P::link_downed},
      {receive_errors, "receive_errors", "PortRcvErrors", "receive_errors", events,
       &P::receive_errors},
      {receive_remote_physical_errors, "receive_remote_physical_errors",
       "PortRcvRemotePhysicalErrors", "receive_remote_physical_errors", events,
       &P::receive_remote_physical_errors},
      {receive_switch_relay_errors, "receive_switch_relay_errors", "PortRcvSwitchRelayErrors",
       "receive_switch_relay_errors", events, &P::receive_switch_relay_errors},
      {transmit_discards, "transmit_discards", "PortXmitDiscards", "transmit_discards", events,
       &P::transmit_discards},
      {transmit_constraint_errors, "transmit_constraint_errors", "PortXmitConstraintErrors",
       "transmit_constraint_errors", events, &P::transmit_constraint_errors},
      {receive_constraint_errors, "receive_constraint_errors", "PortRcvConstraintErrors",
       "receive_constraint_errors", events, &P::receive_constraint_errors},
      {local_link_integrity_errors, "local_link_integrity_errors", "LocalLinkIntegrityErrors",
       "local_link_integrity_errors", events, &P::local_link_integrity_errors},
      {excessive_buffer_overruns, "excessive_buffer_overruns", "ExcessiveBufferOverrunErrors",
       "excessive_buffer_overrun_errors", events, &P::excessive_buffer_overruns},
      {qp1_dropped, "qp1_dropped", "QP1Dropped", "qp1_dropped", events, &P::qp1_dropped},
      {vl15_dropped, "vl15_dropped", "VL15Dropped", "vl15_dropped", events, &P::vl15_dropped},
  }};
  return table;
}

std::optional<Counter> find_counter(std::string_view name) {
  const auto& table = counter_table();
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const CounterInfo& i) { return i.name == name; });
  if (found == table.end()) return std::nullopt;
  return found->counter;
}

std::string clear_command(Counter counter, Lid lid, PortNumber port) {
  const std::uint32_t bit = select_bit(counter);
  return bit == 0 ? fmt::format("perfquery -R {} {}", lid, port)
                  : fmt::format("perfquery -R {} {} {:#x}", lid, port, bit);
}

}  // namespace pssp
