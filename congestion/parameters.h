#pragma once

// The parameters of InfiniBand congestion control, in the units of the InfiniBand specification
// (Annex A10): what a congestion manager writes into switches (SwitchCongestionSetting, A10.4.3.6)
// and channel adapters (CACongestionSetting A10.4.3.8, CongestionControlTable A10.4.3.9). Plain
// values without invariants of their own: check() says whether they may be sent.
// docs/explanation/congestion-control.md explains what each of them does.

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fabric/link_rate.h"

namespace pssp {

/// Largest values that the fields of the attributes hold; the smallest is 0 everywhere.
namespace cc_limits {
inline constexpr std::uint32_t threshold = 15;             ///< 4 bits
inline constexpr std::uint32_t packet_size = 255;          ///< 8 bits
inline constexpr std::uint32_t marking_rate = 65535;       ///< 16 bits
inline constexpr std::uint32_t shift = 3;                  ///< 2 bits
inline constexpr std::uint32_t multiplier = 16383;         ///< 14 bits
inline constexpr std::uint32_t switch_control_map = 0x1f;  ///< 5 of 32 bits have a meaning
inline constexpr std::uint32_t ccti_timer = 65535;         ///< 16 bits: up to 67.1 ms
inline constexpr std::uint32_t ccti_increase = 255;        ///< 8 bits
inline constexpr std::uint32_t trigger_threshold = 255;    ///< 8 bits
inline constexpr std::uint32_t ccti_min = 255;             ///< 8 bits
inline constexpr std::uint32_t highest_port = 254;         ///< bit 255 of a port mask is reserved
/// A CongestionControlTable is sent in blocks of so many entries, one a MAD.
inline constexpr std::size_t entries_per_block = 64;
/// CongestionInfo.ControlTableCap (8 bits) counts such blocks.
inline constexpr std::size_t most_blocks = 255;
inline constexpr std::size_t most_entries = most_blocks * entries_per_block;  ///< 16320
}  // namespace cc_limits

inline constexpr std::size_t service_levels = 16;
/// Duration of one unit of CCTI_Timer in nanoseconds.
inline constexpr std::uint32_t ccti_timer_unit_ns = 1024;
/// Bytes in one unit of Packet_Size (a credit of link-level flow control).
inline constexpr std::uint32_t packet_size_unit_bytes = 64;

/// Bit p stands for port p of a switch, 0 .. 254; port 0 is the switch's own port.
using PortMask = std::bitset<256>;

/// The mask as it stands in a MAD and in OpenSM's options: a 256-bit number, most significant byte
/// first, so that port 0 is the lowest bit of the last byte.
std::array<std::uint8_t, 32> port_mask_bytes(const PortMask& mask);
PortMask port_mask_of_bytes(std::span<const std::uint8_t, 32> bytes);

/// What a port of a switch is cabled to.
enum class PortRole : std::uint8_t { unconnected, host_facing, switch_facing };

/// Which ports of a switch a mask shall have: by role, which differs from switch to switch, and by
/// number, the same on every switch.
struct PortSelection {
  bool host_facing = false;
  bool switch_facing = false;
  PortMask ports;

  /// Whether the mask is the same on every switch.
  bool is_uniform() const noexcept { return !host_facing && !switch_facing; }
  bool operator==(const PortSelection&) const = default;
};

/// The mask for one switch; roles[p] belongs to port p (roles[0], the switch's own port, is not
/// looked at; ports beyond the span have no role).
PortMask resolve(const PortSelection& selection, std::span<const PortRole> roles);

/// One value of the congestion control table, and of Credit Starvation Return Delay: the adapter
/// waits (time of the packet >> shift) * multiplier before the flow's next packet. See
/// injection_delay.h for what that is in packet times, nanoseconds and rate.
struct CctEntry {
  std::uint8_t shift = 0;        ///< 0 .. 3
  std::uint16_t multiplier = 0;  ///< 0 .. 16383

  /// The 16 bits of CongestionControlTableEntry: shift in bits 15..14, multiplier in 13..0.
  constexpr std::uint16_t bits() const noexcept {
    return static_cast<std::uint16_t>((shift << 14) | multiplier);
  }
  static constexpr CctEntry of_bits(std::uint16_t bits) noexcept {
    return {static_cast<std::uint8_t>(bits >> 14), static_cast<std::uint16_t>(bits & 0x3fff)};
  }
  bool operator==(const CctEntry&) const = default;
};

/// Bits of SwitchCongestionSetting.Control_Map: which parts of a setting the switch shall take
/// over.
namespace switch_component {
inline constexpr std::uint32_t victim_mask = 1U << 0;
inline constexpr std::uint32_t credit_mask = 1U << 1;
inline constexpr std::uint32_t threshold_and_packet_size = 1U << 2;
inline constexpr std::uint32_t credit_starvation = 1U << 3;  ///< CS_Threshold and CS_ReturnDelay
inline constexpr std::uint32_t marking_rate = 1U << 4;
}  // namespace switch_component

struct SwitchCongestionParameters {
  /// Bits of switch_component; what is not named stays as it is in the switch.
  std::uint32_t control_map = 0;
  /// Ports that mark packets although they may be the victim, not the root, of the congestion.
  PortSelection victim_mask;
  /// Ports that apply credit starvation.
  PortSelection credit_mask;
  /// How early congestion is seen: 0 no marking, 1 late .. 15 early.
  std::uint8_t threshold = 0;
  /// Packets below so many units of 64 bytes are never marked.
  std::uint8_t packet_size = 0;
  /// Likewise as threshold, for credit starvation, 0 .. 15.
  std::uint8_t credit_starvation_threshold = 0;
  CctEntry credit_starvation_return_delay;
  /// Mean number of packets sent unmarked between two marked ones.
  std::uint16_t marking_rate = 0;

  bool operator==(const SwitchCongestionParameters&) const = default;
};

/// How the adapter reacts on one service level (CACongestionEntry).
struct AdapterSlParameters {
  std::uint16_t ccti_timer = 0;        ///< units of 1.024 us: the CCTI falls by one at each expiry
  std::uint8_t ccti_increase = 0;      ///< added to the CCTI at each BECN; 0: no reaction
  std::uint8_t trigger_threshold = 0;  ///< CCTI at which the adapter logs an event
  std::uint8_t ccti_min = 0;           ///< the CCTI does not fall below it

  bool operator==(const AdapterSlParameters&) const = default;
};

/// What one CCTI belongs to (CACongestionSetting.Port_Control, bit 0).
enum class CongestionScope : std::uint16_t { queue_pair = 0, service_level = 1 };

struct AdapterCongestionParameters {
  CongestionScope port_control = CongestionScope::queue_pair;
  /// Bit s: the adapter shall take over the entry of service level s.
  std::uint16_t control_map = 0;
  std::array<AdapterSlParameters, service_levels> sl;

  bool operator==(const AdapterCongestionParameters&) const = default;
};

/// How the delays of a generated table rise from 0 at CCTI 0 to their largest at CCTI_Limit.
enum class TableLaw : std::uint8_t {
  linear,       ///< the delay rises in equal steps
  exponential,  ///< the rate falls by the same factor at each step
};

/// From what a table was generated; see cct_generation.h.
struct TableOrigin {
  TableLaw law = TableLaw::linear;
  /// The largest delay leaves a flow 1/flows of the link. 2 .. 16384; 0: largest_delay_ns says.
  std::uint32_t flows = 0;
  /// The largest delay in nanoseconds; 0: flows says.
  std::uint64_t largest_delay_ns = 0;

  bool operator==(const TableOrigin&) const = default;
};

struct CongestionControlTable {
  /// Entry i belongs to CCTI i. 1 .. 16320 of them.
  std::vector<CctEntry> entries = {CctEntry{}};
  /// Nothing for a table of stated values.
  std::optional<TableOrigin> origin;
  /// The packets and the link for which delays are said in nanoseconds. 256, 512, 1024, 2048, 4096.
  std::uint32_t mtu = 2048;
  /// 4xQDR.
  LinkRate link_rate{4, 8000};
  /// What the adapters hold, in blocks of 64 entries (CongestionInfo.ControlTableCap), 1 .. 255;
  /// 0: not known.
  std::uint8_t capacity_blocks = 0;

  /// CongestionControlTable.CCTI_Limit, the highest CCTI. At least one entry.
  std::uint16_t ccti_limit() const { return static_cast<std::uint16_t>(entries.size() - 1); }
  /// Blocks of 64 entries, each one MAD.
  std::size_t blocks() const {
    return (entries.size() + cc_limits::entries_per_block - 1) / cc_limits::entries_per_block;
  }
  bool operator==(const CongestionControlTable&) const = default;
};

/// A complete set. All of it is sent: the settings of switches and adapters as far as their control
/// maps go, the table always. Default-constructed: every control map and every value 0, which
/// changes nothing in a fabric but the table (one entry, no delay).
struct CongestionParameters {
  SwitchCongestionParameters switches;
  AdapterCongestionParameters adapters;
  CongestionControlTable table;

  bool operator==(const CongestionParameters&) const = default;
};

/// Throws Error(usage) with the field, its value and the allowed range when a value does not fit
/// its field, the table is empty, too long for the attribute or for capacity_blocks, its delays
/// fall somewhere, or a CCTI_Min is beyond CCTI_Limit. O(entries).
void check(const CongestionParameters& parameters);

/// The first entry whose delay is shorter than the one before it; nothing when delays never fall,
/// as the adapter's control loop needs it. O(entries).
std::optional<std::size_t> first_fall(const CongestionControlTable& table);

/// Throws Error(usage) when the table is longer than an adapter with so many blocks of 64 entries
/// holds.
void check_capacity(const CongestionControlTable& table, std::size_t capacity_blocks);

}  // namespace pssp
