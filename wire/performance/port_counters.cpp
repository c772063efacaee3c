// Counters are fields of 4 to 64 bits, described by two tables; one pair of functions reads and
// writes them all. Only fields of 4 bits share a byte.

#include "wire/performance/port_counters.h"

#include <algorithm>
#include <array>
#include <limits>

#include "wire/big_endian.h"

namespace pssp {
namespace {

constexpr unsigned byte_bits = 8;
constexpr std::size_t port_at = 1, capabilities_at = 2, capabilities2_at = 4, tick_at = 2;
constexpr unsigned response_time_bits = 5;

using C = PortCounters;

constexpr std::array narrow = {
    CounterField{"SymbolErrorCounter", &C::symbol_errors, 32, 16},
    CounterField{"LinkErrorRecoveryCounter", &C::link_error_recoveries, 48, 8},
    CounterField{"LinkDownedCounter", &C::link_downed, 56, 8},
    CounterField{"PortRcvErrors", &C::receive_errors, 64, 16},
    CounterField{"PortRcvRemotePhysicalErrors", &C::receive_remote_physical_errors, 80, 16},
    CounterField{"PortRcvSwitchRelayErrors", &C::receive_switch_relay_errors, 96, 16},
    CounterField{"PortXmitDiscards", &C::transmit_discards, 112, 16},
    CounterField{"PortXmitConstraintErrors", &C::transmit_constraint_errors, 128, 8},
    CounterField{"PortRcvConstraintErrors", &C::receive_constraint_errors, 136, 8},
    CounterField{"LocalLinkIntegrityErrors", &C::local_link_integrity_errors, 152, 4},
    CounterField{"ExcessiveBufferOverrunErrors", &C::excessive_buffer_overruns, 156, 4},
    CounterField{"QP1Dropped", &C::qp1_dropped, 160, 16},
    CounterField{"VL15Dropped", &C::vl15_dropped, 176, 16},
    CounterField{"PortXmitData", &C::transmit_words, 192, 32},
    CounterField{"PortRcvData", &C::receive_words, 224, 32},
    CounterField{"PortXmitPkts", &C::transmit_packets, 256, 32},
    CounterField{"PortRcvPkts", &C::receive_packets, 288, 32},
    CounterField{"PortXmitWait", &C::transmit_wait, 320, 32},
};

constexpr std::array wide = {
    CounterField{"PortXmitData", &C::transmit_words, 64, 64},
    CounterField{"PortRcvData", &C::receive_words, 128, 64},
    CounterField{"PortXmitPkts", &C::transmit_packets, 192, 64},
    CounterField{"PortRcvPkts", &C::receive_packets, 256, 64},
    CounterField{"PortUnicastXmitPkts", &C::unicast_transmit_packets, 320, 64},
    CounterField{"PortUnicastRcvPkts", &C::unicast_receive_packets, 384, 64},
    CounterField{"PortMulticastXmitPkts", &C::multicast_transmit_packets, 448, 64},
    CounterField{"PortMulticastRcvPkts", &C::multicast_receive_packets, 512, 64},
};

constexpr std::array additional_wide = {
    CounterField{"SymbolErrorCounter", &C::symbol_errors, 576, 64},
    CounterField{"LinkErrorRecoveryCounter", &C::link_error_recoveries, 640, 64},
    CounterField{"LinkDownedCounter", &C::link_downed, 704, 64},
    CounterField{"PortRcvErrors", &C::receive_errors, 768, 64},
    CounterField{"PortRcvRemotePhysicalErrors", &C::receive_remote_physical_errors, 832, 64},
    CounterField{"PortRcvSwitchRelayErrors", &C::receive_switch_relay_errors, 896, 64},
    CounterField{"PortXmitDiscards", &C::transmit_discards, 960, 64},
    CounterField{"PortXmitConstraintErrors", &C::transmit_constraint_errors, 1024, 64},
    CounterField{"PortRcvConstraintErrors", &C::receive_constraint_errors, 1088, 64},
    CounterField{"LocalLinkIntegrityErrors", &C::local_link_integrity_errors, 1152, 64},
    CounterField{"ExcessiveBufferOverrunErrors", &C::excessive_buffer_overruns, 1216, 64},
    CounterField{"VL15Dropped", &C::vl15_dropped, 1280, 64},
    CounterField{"PortXmitWait", &C::transmit_wait, 1344, 64},
    CounterField{"QP1Dropped", &C::qp1_dropped, 1408, 64},
};

constexpr std::uint64_t largest_of(unsigned width) {
  return std::numeric_limits<std::uint64_t>::max() >> (64 - width);
}

/// Bits after the field in its last byte; nonzero only for fields of four bits.
constexpr unsigned bits_behind(const CounterField& field) {
  return (byte_bits - (field.bit + field.width) % byte_bits) % byte_bits;
}

void decode(const MadData& data, std::span<const CounterField> fields, PortCounters& counters) {
  for (const CounterField& field : fields) {
    std::uint64_t value = 0;
    const unsigned end = (field.bit + field.width + byte_bits - 1) / byte_bits;
    for (unsigned i = field.bit / byte_bits; i < end; ++i) value = (value << byte_bits) | data[i];
    counters.*field.counter = (value >> bits_behind(field)) & largest_of(field.width);
  }
}

void encode(const PortCounters& counters, std::span<const CounterField> fields, MadData& data) {
  for (const CounterField& field : fields) {
    std::uint64_t value = std::min(counters.*field.counter, largest_of(field.width))
                          << bits_behind(field);
    const unsigned first = field.bit / byte_bits;
    for (unsigned i = (field.bit + field.width + byte_bits - 1) / byte_bits; i-- > first;) {
      data[i] = static_cast<std::uint8_t>(data[i] | (value & 0xff));
      value >>= byte_bits;
    }
  }
}

MadRequest performance_request(Lid lid, PerformanceAttribute attribute, PortNumber port = 0) {
  MadRequest request = request_of<performance_class>(static_cast<std::uint16_t>(attribute), 0,
                                                     general_services_at(lid));
  request.data[port_at] = port;
  return request;
}

}  // namespace

std::span<const CounterField> port_counters_fields() { return narrow; }
std::span<const CounterField> extended_fields() { return wide; }
std::span<const CounterField> additional_extended_fields() { return additional_wide; }

MadRequest performance_info_request(Lid lid) {
  return performance_request(lid, PerformanceAttribute::class_port_info);
}

MadRequest port_counters_request(Lid lid, PortNumber port) {
  return performance_request(lid, PerformanceAttribute::port_counters, port);
}

MadRequest port_counters_extended_request(Lid lid, PortNumber port) {
  return performance_request(lid, PerformanceAttribute::port_counters_extended, port);
}

MadRequest port_samples_request(Lid lid, PortNumber port) {
  return performance_request(lid, PerformanceAttribute::port_samples_control, port);
}

std::uint8_t decode_samples_tick(const MadData& data) { return data[tick_at]; }

PerformanceInfo decode_performance_info(const MadData& data) {
  const std::span<const std::uint8_t> bytes(data);
  const auto second = take<std::uint32_t>(bytes.subspan(capabilities2_at));
  return {take<std::uint16_t>(bytes.subspan(capabilities_at)), second >> response_time_bits,
          static_cast<std::uint8_t>(second & ((1U << response_time_bits) - 1))};
}

MadData encode(const PerformanceInfo& info) {
  MadData data{1, 1};
  const std::span<std::uint8_t> bytes(data);
  put(bytes.subspan(capabilities_at), info.capabilities);
  put(bytes.subspan(capabilities2_at),
      (info.capabilities2 << response_time_bits) | info.response_time);
  return data;
}

PortCounters decode_port_counters(const MadData& data) {
  PortCounters counters;
  counters.port = data[port_at];
  decode(data, narrow, counters);
  return counters;
}

PortCounters decode_port_counters_extended(const MadData& data, bool additional) {
  PortCounters counters;
  counters.port = data[port_at];
  decode(data, wide, counters);
  if (additional) decode(data, additional_wide, counters);
  return counters;
}

MadData encode_port_counters(const PortCounters& counters) {
  MadData data{};
  data[port_at] = counters.port;
  encode(counters, narrow, data);
  return data;
}

MadData encode_port_counters_extended(const PortCounters& counters, bool additional) {
  MadData data{};
  data[port_at] = counters.port;
  encode(counters, wide, data);
  if (additional) encode(counters, additional_wide, data);
  return data;
}

}  // namespace pssp
