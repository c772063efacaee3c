#pragma once

// The used parts of PortInfo, SwitchInfo, SMInfo and LinearForwardingTable (InfiniBand architecture
// 1.3, 14.2.5.6, .4, .13 and .10), and of the vendor's ExtendedPortInfo.

#include "wire/mad.h"

namespace pssp {

enum class SubnetAttribute : std::uint16_t {
  switch_info = 0x0012,
  port_info = 0x0015,
  linear_forwarding_table = 0x0019,
  manager_info = 0x0020,
  vendor_port_info = 0xff90,
};

/// Codes of the specification; link_rate_of() of monitor/discovery converts them to rates.
struct PortInfo {
  Lid lid = no_lid, manager_lid = no_lid;
  std::uint8_t lmc = 0;
  std::uint32_t capabilities = 0;
  std::uint8_t width_supported = 0, width_enabled = 0, width_active = 0;
  std::uint8_t speed_supported = 0, speed_enabled = 0, speed_active = 0;
  std::uint8_t extended_speed_supported = 0, extended_speed_enabled = 0, extended_speed_active = 0;
  std::uint8_t state = 0, physical_state = 0;
  std::uint8_t mtu_supported = 0, mtu_active = 0;
  std::uint8_t lanes_supported = 0, lanes_operational = 0;

  bool operator==(const PortInfo&) const = default;
};
namespace port_capability {
inline constexpr std::uint32_t is_manager = 1U << 1;  ///< IsSM
/// Without it, the extended speeds are meaningless.
inline constexpr std::uint32_t extended_speeds = 1U << 14;
}  // namespace port_capability

struct SwitchInfo {
  std::uint16_t linear_capacity = 0, linear_top = 0;  ///< entries; the highest LID with an entry
  bool port_state_change = false;  ///< a port has changed since the manager last read it
  bool enhanced_port0 = false;

  bool operator==(const SwitchInfo&) const = default;
};

struct ManagerInfo {
  enum class State : std::uint8_t { inactive = 0, discovering = 1, standby = 2, master = 3 };

  Guid guid = 0;                     ///< of the port
  std::uint32_t activity_count = 0;  ///< increases while the manager works
  std::uint8_t priority = 0;         ///< 0 .. 15
  State state = State::inactive;

  bool operator==(const ManagerInfo&) const = default;
};

/// A block of a linear forwarding table: the ports of LIDs 64 * block and the next 63.
constexpr std::size_t linear_block_size = 64;

/// By LID or along a route; `m_key` is needed only if reading is protected. `port` is a port of the
/// destination node.
MadRequest port_info_request(const Destination& to, PortNumber port, std::uint64_t m_key = 0);
/// The vendor's ExtendedPortInfo.
MadRequest vendor_port_info_request(const Destination& to, PortNumber port,
                                    std::uint64_t m_key = 0);
MadRequest switch_info_request(const Destination& to, std::uint64_t m_key = 0);
MadRequest manager_info_request(const Destination& to, std::uint64_t m_key = 0);
MadRequest linear_table_request(const Destination& to, std::uint16_t block,
                                std::uint64_t m_key = 0);

PortInfo decode_port_info(const MadData& data);
SwitchInfo decode_switch_info(const MadData& data);
ManagerInfo decode_manager_info(const MadData& data);
/// From the vendor attribute 0xff90: the link runs at FDR10, which PortInfo reports as QDR.
bool decode_runs_fdr10(const MadData& data);

}  // namespace pssp
