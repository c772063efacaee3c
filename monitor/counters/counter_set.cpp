#include "monitor/counters/counter_set.h"

#include <algorithm>

namespace pssp {

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

}  // namespace pssp
