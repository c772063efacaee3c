#pragma once

// Counters of a port: class 0x04, performance management (InfiniBand architecture 1.3, 16.1).
// Counters of 4 to 32 bits stop at their largest value. Data counters are in words of four bytes.

#include <cstdint>
#include <span>

#include "wire/get_request.h"

namespace pssp {

enum class PerformanceAttribute : std::uint16_t {
  class_port_info = 0x0001,
  port_samples_control = 0x0010,
  port_counters = 0x0012,
  port_counters_extended = 0x001d,
};

/// The counters that a node supports (13.4.8.1; bits of 16.1.3.1).
struct PerformanceInfo {
  std::uint16_t capabilities = 0;
  std::uint32_t capabilities2 = 0;  ///< 27 bits
  std::uint8_t response_time = 0;   ///< 4.096 us * 2^response_time; 5 bits

  bool operator==(const PerformanceInfo&) const = default;
};
namespace performance_capability {
inline constexpr std::uint16_t extended_width = 1U << 9;  ///< PortCountersExtended
/// PortCountersExtended without unicast and multicast packets.
inline constexpr std::uint16_t extended_width_no_ietf = 1U << 10;
inline constexpr std::uint16_t xmit_wait = 1U << 12;
inline constexpr std::uint16_t qp1_dropped = 1U << 15;
/// In capabilities2: the second half of PortCountersExtended.
inline constexpr std::uint32_t additional_extended = 1U << 1;
}  // namespace performance_capability

/// PortCounters, and the corresponding part of PortCountersExtended.
struct PortCounters {
  PortNumber port = 0;
  std::uint64_t symbol_errors = 0, link_error_recoveries = 0, link_downed = 0;
  std::uint64_t receive_errors = 0, receive_remote_physical_errors = 0;
  std::uint64_t receive_switch_relay_errors = 0, transmit_discards = 0;
  std::uint64_t transmit_constraint_errors = 0, receive_constraint_errors = 0;
  std::uint64_t local_link_integrity_errors = 0, excessive_buffer_overruns = 0;
  std::uint64_t qp1_dropped = 0, vl15_dropped = 0;
  std::uint64_t transmit_words = 0, receive_words = 0;
  std::uint64_t transmit_packets = 0, receive_packets = 0;
  std::uint64_t transmit_wait = 0;  ///< ticks; see PortSamplesControl
  /// Only in PortCountersExtended.
  std::uint64_t unicast_transmit_packets = 0, unicast_receive_packets = 0;
  std::uint64_t multicast_transmit_packets = 0, multicast_receive_packets = 0;

  bool operator==(const PortCounters&) const = default;
};

/// The position of a counter in an attribute.
struct CounterField {
  const char* name;  ///< the name in the specification
  std::uint64_t PortCounters::*counter;
  std::uint16_t bit;   ///< first bit, from the beginning of the attribute
  std::uint8_t width;  ///< in bits; a value of all ones may be saturated where width < 64
};
std::span<const CounterField> port_counters_fields();
/// The first 64-bit counters, and those of performance_capability::additional_extended.
std::span<const CounterField> extended_fields();
std::span<const CounterField> additional_extended_fields();

MadRequest performance_info_request(Lid lid);
MadRequest port_counters_request(Lid lid, PortNumber port);
MadRequest port_counters_extended_request(Lid lid, PortNumber port);
/// PortSamplesControl, of which only the tick is used.
MadRequest port_samples_request(Lid lid, PortNumber port);

PerformanceInfo decode_performance_info(const MadData& data);
PortCounters decode_port_counters(const MadData& data);
/// PortSamplesControl's Tick (16.1.3.2): the encoded length of the tick of PortXmitWait.
std::uint8_t decode_samples_tick(const MadData& data);
/// `additional`: includes counters that not every node has; otherwise they are 0.
PortCounters decode_port_counters_extended(const MadData& data, bool additional);

/// For simulated nodes in tests. Values beyond a field's range become its largest value.
MadData encode(const PerformanceInfo& info);
MadData encode_port_counters(const PortCounters& counters);
MadData encode_port_counters_extended(const PortCounters& counters, bool additional);

}  // namespace pssp
