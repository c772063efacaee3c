#pragma once

// A parameter set as OpenSM's own options: the values of the cc_* fields of its option structure in
// host byte order, and the same as lines of opensm.conf. No OpenSM header is needed here; the
// plugin copies the values over.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "congestion/parameters.h"

namespace pssp {

/// OpenSM 3.3 keeps so many entries of the congestion control table, and no CCTI_Limit beside it.
inline constexpr std::size_t opensm_most_table_entries = 128;
/// OpenSM 3.3 reads so many bytes of a line of its configuration file; the rest it takes for
/// another line.
inline constexpr std::size_t opensm_longest_line = 1022;

/// One field a member, named as OpenSM's key without "cc_".
struct OpensmCongestionOptions {
  std::uint32_t sw_cong_setting_control_map = 0;
  std::array<std::uint8_t, 32> sw_cong_setting_victim_mask{};  ///< most significant byte first
  std::array<std::uint8_t, 32> sw_cong_setting_credit_mask{};  ///< likewise
  std::uint8_t sw_cong_setting_threshold = 0;
  std::uint8_t sw_cong_setting_packet_size = 0;
  std::uint8_t sw_cong_setting_credit_starvation_threshold = 0;
  CctEntry sw_cong_setting_credit_starvation_return_delay;
  std::uint16_t sw_cong_setting_marking_rate = 0;
  std::uint16_t ca_cong_setting_port_control = 0;
  std::uint16_t ca_cong_setting_control_map = 0;
  std::array<AdapterSlParameters, service_levels> ca_cong_entries;
  std::vector<CctEntry> cct;  ///< 1 .. 128 entries
  std::string cct_text;       ///< the same in OpenSM's notation, "shift:multiplier,..."
  /// What of the set OpenSM cannot do and was left out, a sentence each. Empty: it can do all.
  std::vector<std::string> left_out;
};

/// The options for a set that check() accepts (it is called here). What OpenSM cannot express is
/// left out and told in left_out: a mask by the role of the ports (OpenSM sends one mask to all
/// switches: then the mask's bit of the control map is cleared and switches keep theirs), entries
/// of the table beyond 128 (CCTI_Limit becomes 127).
OpensmCongestionOptions opensm_options(const CongestionParameters& parameters);

/// The lines of opensm.conf, congestion_control TRUE first, with what was left out as comments.
/// Throws Error(usage) when OpenSM could not read the line of the table because it is too long; the
/// plugin has no such limit.
std::string opensm_conf_lines(const OpensmCongestionOptions& options);

}  // namespace pssp
