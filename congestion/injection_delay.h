#pragma once

// What an entry of the congestion control table does to a flow.
//
// After each packet of a throttled flow the adapter waits the injection rate delay
//
//     (time of the packet on the link >> shift) * multiplier
//
// (entry format of InfiniBand Annex A10.2.2.1.1, as the Linux driver hfi1 computes it in
// set_link_ipg()). In units of the time of the packet that is multiplier / 2^shift, whatever the
// MTU and the rate of the link; a flow that waits d packet times gets 1 / (1 + d) of the link.

#include <cstdint>

#include "congestion/parameters.h"

namespace pssp {

/// Largest delay of an entry in packet times.
inline constexpr double largest_delay_in_packets = cc_limits::multiplier;

/// The delay in eighths of a packet time: the finest step, so that it is exact. 0 .. 131064.
constexpr std::uint32_t delay_in_eighths(CctEntry entry) noexcept {
  return std::uint32_t{entry.multiplier} << (cc_limits::shift - entry.shift);
}

/// The delay in packet times, exact.
constexpr double delay_in_packets(CctEntry entry) noexcept {
  return static_cast<double>(delay_in_eighths(entry)) / 8;
}

/// Share of the link for a flow with this delay after each packet, in packet times.
constexpr double share_of_link(double delay_in_packets) noexcept {
  return 1 / (1 + delay_in_packets);
}

/// The entry with the nearest delay (of two equally near, the longer). Of its encodings, the one
/// with the smallest shift, with which adapters that shift whole clock cycles round least. Throws
/// Error(usage) outside 0 .. 16383.
CctEntry nearest_entry(double delay_in_packets);

/// Bytes of a packet besides its payload: local route header 8, base transport header 12, CRCs 6.
inline constexpr std::uint32_t packet_overhead_bytes = 26;

/// Nanoseconds of a full packet on the link. mtu in bytes; the rate must be known.
double packet_time_ns(std::uint32_t mtu, LinkRate rate);

}  // namespace pssp
