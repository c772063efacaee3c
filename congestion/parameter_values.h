#pragma once

// Reads and writes the values of a parameter file. Readers throw Error(usage) with what was found
// and what is allowed, and accept the output of the corresponding writer.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "congestion/parameters.h"

namespace pssp {

/// Decimal, or hexadecimal after 0x.
std::uint32_t read_number(std::string_view text, std::uint32_t smallest, std::uint32_t largest);

/// Packet_Size: units of 64 bytes, or bytes as in 128B, a multiple of 64.
std::uint8_t read_packet_size(std::string_view text);

/// CCTI_Timer: units of 1.024 us, or a time such as 250us, rounded to the nearest unit.
std::uint16_t read_ccti_timer(std::string_view text);
/// A CCTI_Timer as a time, such as 249.856us.
std::string ccti_timer_as_time(std::uint16_t units);

/// A time in whole nanoseconds: 300ns, 1.5us, 2ms, up to 1 s.
std::uint64_t read_nanoseconds(std::string_view text);
std::string nanoseconds_text(std::uint64_t nanoseconds);

/// Ports by role (host, switch) and by number (0, port0, 5, 1-4), separated by commas; none; all
/// (ports 0 .. 254); or a mask such as 0x1E.
PortSelection read_ports(std::string_view text);
std::string ports_text(const PortSelection& selection);

/// Service levels: 0,1,4-7; all; none; or a mask such as 0x00FF.
std::uint16_t read_service_levels(std::string_view text);
std::string service_levels_text(std::uint16_t mask);

/// Parts of a switch setting: victim_mask, credit_mask, threshold (with the packet size),
/// credit_starvation, marking_rate, separated by commas; all; none; or a mask such as 0x15.
std::uint32_t read_switch_components(std::string_view text);
std::string switch_components_text(std::uint32_t mask);

/// qp or sl.
CongestionScope read_scope(std::string_view text);
std::string_view scope_text(CongestionScope scope);

TableLaw read_law(std::string_view text);
std::string_view law_text(TableLaw law);

std::uint32_t read_mtu(std::string_view text);
LinkRate read_link_rate(std::string_view text);

/// An injection rate delay: shift:multiplier as in the table, or the entry nearest to a delay in
/// packet times (1.5) or to a time (20us). `packet_time_ns` converts times to packet times.
CctEntry read_entry(std::string_view text, double packet_time_ns);
/// shift:multiplier
std::string entry_text(CctEntry entry);

/// The non-empty parts of a list separated by commas or blanks.
std::vector<std::string_view> list_parts(std::string_view text);

}  // namespace pssp
