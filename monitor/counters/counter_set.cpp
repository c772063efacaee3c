#include "monitor/counters/counter_set.h"

#include <fmt/format.h>

#include <algorithm>

namespace pssp {

const std::array<CounterInfo, counter_count>& counter_table() {
  using enum Counter;
  using enum CounterUnit;
  using P = PortCounters;
  static const std::array<CounterInfo, counter_count> table{{
      {transmit_bytes, "transmit_bytes", "PortXmitData", "transmit_data_bytes", bytes,
       &P::transmit_words, 1U << 12U},
      {receive_bytes, "receive_bytes", "PortRcvData", "receive_data_bytes", bytes,
       &P::receive_words, 1U << 13U},
      {transmit_packets, "transmit_packets", "PortXmitPkts", "transmit_packets", packets,
       &P::transmit_packets, 1U << 14U},
      {receive_packets, "receive_packets", "PortRcvPkts", "receive_packets", packets,
       &P::receive_packets, 1U << 15U},
      {unicast_transmit_packets, "unicast_transmit_packets", "PortUnicastXmitPkts",
       "unicast_transmit_packets", packets, &P::unicast_transmit_packets, 0},
      {unicast_receive_packets, "unicast_receive_packets", "PortUnicastRcvPkts",
       "unicast_receive_packets", packets, &P::unicast_receive_packets, 0},
      {multicast_transmit_packets, "multicast_transmit_packets", "PortMulticastXmitPkts",
       "multicast_transmit_packets", packets, &P::multicast_transmit_packets, 0},
      {multicast_receive_packets, "multicast_receive_packets", "PortMulticastRcvPkts",
       "multicast_receive_packets", packets, &P::multicast_receive_packets, 0},
      {transmit_wait, "transmit_wait", "PortXmitWait", "transmit_wait", ticks, &P::transmit_wait,
       1U << 16U},
      {symbol_errors, "symbol_errors", "SymbolErrorCounter", "symbol_error", events,
       &P::symbol_errors, 1U << 0U},
      {link_error_recoveries, "link_error_recoveries", "LinkErrorRecoveryCounter",
       "link_error_recovery", events, &P::link_error_recoveries, 1U << 1U},
      {link_downed, "link_downed", "LinkDownedCounter", "link_downed", events, &P::link_downed,
       1U << 2U},
      {receive_errors, "receive_errors", "PortRcvErrors", "receive_errors", events,
       &P::receive_errors, 1U << 3U},
      {receive_remote_physical_errors, "receive_remote_physical_errors",
       "PortRcvRemotePhysicalErrors", "receive_remote_physical_errors", events,
       &P::receive_remote_physical_errors, 1U << 4U},
      {receive_switch_relay_errors, "receive_switch_relay_errors", "PortRcvSwitchRelayErrors",
       "receive_switch_relay_errors", events, &P::receive_switch_relay_errors, 1U << 5U},
      {transmit_discards, "transmit_discards", "PortXmitDiscards", "transmit_discards", events,
       &P::transmit_discards, 1U << 6U},
      {transmit_constraint_errors, "transmit_constraint_errors", "PortXmitConstraintErrors",
       "transmit_constraint_errors", events, &P::transmit_constraint_errors, 1U << 7U},
      {receive_constraint_errors, "receive_constraint_errors", "PortRcvConstraintErrors",
       "receive_constraint_errors", events, &P::receive_constraint_errors, 1U << 8U},
      {local_link_integrity_errors, "local_link_integrity_errors", "LocalLinkIntegrityErrors",
       "local_link_integrity_errors", events, &P::local_link_integrity_errors, 1U << 9U},
      {excessive_buffer_overruns, "excessive_buffer_overruns", "ExcessiveBufferOverrunErrors",
       "excessive_buffer_overrun_errors", events, &P::excessive_buffer_overruns, 1U << 10U},
      {qp1_dropped, "qp1_dropped", "QP1Dropped", "qp1_dropped", events, &P::qp1_dropped, 0},
      {vl15_dropped, "vl15_dropped", "VL15Dropped", "vl15_dropped", events, &P::vl15_dropped,
       1U << 11U},
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
  const std::uint32_t mask = info_of(counter).select_mask;
  return mask == 0 ? fmt::format("perfquery -R {} {}", lid, port)
                   : fmt::format("perfquery -R {} {} {:#x}", lid, port, mask);
}

}  // namespace pssp
