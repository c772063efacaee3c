#pragma once

// The parameters of InfiniBand congestion control, in the units of the InfiniBand specification
// (Annex A10): what a congestion manager writes to switches (SwitchCongestionSetting, A10.4.3.6)
// and channel adapters (CACongestionSetting A10.4.3.8, CongestionControlTable A10.4.3.9). Plain
// values; check() decides whether they may be sent. docs/explanation/congestion-control.md explains
// their effects.

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
/// A CongestionControlTable is sent in blocks of this many entries, one per MAD.
inline constexpr std::size_t entries_per_block = 64;
/// Maximum of CongestionInfo.ControlTableCap (8 bits), which counts such blocks.
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

/// The mask as in a MAD and in OpenSM's options: a 256-bit number, most significant byte first, so
/// that port 0 is the lowest bit of the last byte.
std::array<std::uint8_t, 32> port_mask_bytes(const PortMask& mask);
PortMask port_mask_of_bytes(std::span<const std::uint8_t, 32> bytes);

/// What a switch port is connected to.
enum class PortRole : std::uint8_t { unconnected, host_facing, switch_facing };

/// The ports in a mask: by role, which differs between switches, and by number.
struct PortSelection {
  bool host_facing = false;
  bool switch_facing = false;
  PortMask ports;

  /// Whether the mask is the same for every switch.
  bool is_uniform() const noexcept { return !host_facing && !switch_facing; }
  bool operator==(const PortSelection&) const = default;
};

/// The mask for one switch; roles[p] is the role of port p (roles[0] is ignored; ports beyond the
/// span have no role).
PortMask resolve(const PortSelection& selection, std::span<const PortRole> roles);

/// An entry of the congestion control table, also Credit Starvation Return Delay: the adapter waits
/// (time of the packet >> shift) * multiplier before the flow's next packet. injection_delay.h
/// converts it to packet times, nanoseconds and rate.
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

/// Bits of SwitchCongestionSetting.Control_Map: the parts of a setting that a switch adopts.
namespace switch_component {
inline constexpr std::uint32_t victim_mask = 1U << 0;
inline constexpr std::uint32_t credit_mask = 1U << 1;
inline constexpr std::uint32_t threshold_and_packet_size = 1U << 2;
inline constexpr std::uint32_t credit_starvation = 1U << 3;  ///< CS_Threshold and CS_ReturnDelay
inline constexpr std::uint32_t marking_rate = 1U << 4;
}  // namespace switch_component

struct SwitchCongestionParameters {
  /// Bits of switch_component; the switch keeps its values for cleared bits.
  std::uint32_t control_map = 0;
  /// Ports that mark packets even if they are a victim, not the root, of congestion.
  PortSelection victim_mask;
  /// Ports that apply credit starvation.
  PortSelection credit_mask;
  /// Sensitivity of congestion detection: 0 no marking, 1 late .. 15 early.
  std::uint8_t threshold = 0;
  /// Packets smaller than this many units of 64 bytes are never marked.
  std::uint8_t packet_size = 0;
  /// The same as threshold, for credit starvation, 0 .. 15.
  std::uint8_t credit_starvation_threshold = 0;
  CctEntry credit_starvation_return_delay;
  /// Mean number of unmarked packets between two marked ones.
  std::uint16_t marking_rate = 0;

  bool operator==(const SwitchCongestionParameters&) const = default;
};

/// The reaction of an adapter on one service level (CACongestionEntry).
struct AdapterSlParameters {
  std::uint16_t ccti_timer = 0;        ///< units of 1.024 us: the CCTI falls by one at each expiry
  std::uint8_t ccti_increase = 0;      ///< added to the CCTI at each BECN; 0: no reaction
  std::uint8_t trigger_threshold = 0;  ///< CCTI at which the adapter logs an event
  std::uint8_t ccti_min = 0;           ///< the CCTI does not fall below it

  bool operator==(const AdapterSlParameters&) const = default;
};

/// The scope of a CCTI (CACongestionSetting.Port_Control, bit 0).
enum class CongestionScope : std::uint16_t { queue_pair = 0, service_level = 1 };

struct AdapterCongestionParameters {
  CongestionScope port_control = CongestionScope::queue_pair;
  /// Bit s: the adapter adopts the entry of service level s.
  std::uint16_t control_map = 0;
  std::array<AdapterSlParameters, service_levels> sl;

  bool operator==(const AdapterCongestionParameters&) const = default;
};

/// How the delays of a generated table rise from 0 at CCTI 0 to the largest at CCTI_Limit.
enum class TableLaw : std::uint8_t {
  linear,       ///< the delay rises in equal steps
  exponential,  ///< the rate falls by the same factor at each step
};

/// The parameters of a generated table; see cct_generation.h.
struct TableOrigin {
  TableLaw law = TableLaw::linear;
  /// The largest delay leaves a flow 1/flows of the link. 2 .. 16384; 0: use largest_delay_ns.
  std::uint32_t flows = 0;
  /// The largest delay in nanoseconds; 0: use flows.
  std::uint64_t largest_delay_ns = 0;

  bool operator==(const TableOrigin&) const = default;
};

struct CongestionControlTable {
  /// Entry i belongs to CCTI i. 1 .. 16320 entries.
  std::vector<CctEntry> entries = {CctEntry{}};
  /// None for a table of explicit values.
  std::optional<TableOrigin> origin;
  /// MTU and link rate for delays in nanoseconds. 256, 512, 1024, 2048, 4096.
  std::uint32_t mtu = 2048;
  /// 4xQDR.
  LinkRate link_rate{4, 8000};
  /// Capacity of the adapters in blocks of 64 entries (CongestionInfo.ControlTableCap), 1 .. 255;
  /// 0: unknown.
  std::uint8_t capacity_blocks = 0;

  /// CongestionControlTable.CCTI_Limit, the highest CCTI. At least one entry.
  std::uint16_t ccti_limit() const { return static_cast<std::uint16_t>(entries.size() - 1); }
  /// Blocks of 64 entries, one MAD each.
  std::size_t blocks() const {
    return (entries.size() + cc_limits::entries_per_block - 1) / cc_limits::entries_per_block;
  }
  bool operator==(const CongestionControlTable&) const = default;
};

/// A complete set. The settings of switches and adapters are sent as selected by their control
/// maps, the table always. The default (all control maps and values 0) changes only the table of a
/// fabric (one entry without delay).
struct CongestionParameters {
  SwitchCongestionParameters switches;
  AdapterCongestionParameters adapters;
  CongestionControlTable table;

  bool operator==(const CongestionParameters&) const = default;
};

/// Throws Error(usage) with the field, its value and the allowed range if a value does not fit its
/// field, if the table is empty or too long for the attribute or for capacity_blocks, if its delays
/// fall, or if a CCTI_Min exceeds CCTI_Limit. O(entries).
void check(const CongestionParameters& parameters);

/// The first entry with a shorter delay than the entry before it; none if delays never fall, as the
/// adapter's control loop requires. O(entries).
std::optional<std::size_t> first_fall(const CongestionControlTable& table);

/// Throws Error(usage) if the table does not fit an adapter with this many blocks of 64 entries.
void check_capacity(const CongestionControlTable& table, std::size_t capacity_blocks);

}  // namespace pssp
