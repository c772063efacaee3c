#pragma once

// A parameter set as OpenSM's own options: the values of the cc_* fields of its option structure in
// host byte order, and as lines of opensm.conf. Needs no OpenSM header; the plugin copies the
// values.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "congestion/parameters.h"

namespace pssp {

/// OpenSM 3.3 stores at most this many table entries, and no separate CCTI_Limit.
inline constexpr std::size_t opensm_most_table_entries = 128;
/// OpenSM 3.3 reads at most this many bytes per line of its configuration file; it treats the rest
/// as another line.
inline constexpr std::size_t opensm_longest_line = 1022;

/// One member per field, named as OpenSM's key without "cc_".
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
  /// What OpenSM cannot express, one sentence each. Empty: nothing was left out.
  std::vector<std::string> left_out;
};

/// Converts a set; calls check() first. left_out lists what OpenSM cannot express: a mask by port
/// role (OpenSM sends one mask to all switches, so the mask's bit of the control map is cleared,
/// and switches keep their masks), and table entries beyond 128 (CCTI_Limit becomes 127).
OpensmCongestionOptions opensm_options(const CongestionParameters& parameters);

/// The lines of opensm.conf, beginning with congestion_control TRUE; comments list what was left
/// out. Throws Error(usage) if the line of the table is too long for OpenSM; the plugin has no such
/// limit.
std::string opensm_conf_lines(const OpensmCongestionOptions& options);

}  // namespace pssp
