#pragma once

// Converts the attributes of class 0x21 in MADs (InfiniBand Annex A10.4.3) from and to the types of
// the parameter sets.

#include <array>
#include <cstddef>
#include <cstdint>

#include "congestion/parameters.h"
#include "wire/congestion/cc_mad.h"

namespace pssp {

/// A10.4.3.3; only the capabilities that determine whether a setting fits.
struct CongestionInfo {
  std::uint8_t table_blocks = 0;  ///< ControlTableCap: capacity in blocks of 64 entries
};
CongestionInfo decode_congestion_info(const CcData& data);

/// A10.4.3.6: the setting of one switch, with masks of its own ports.
struct SwitchSetting {
  std::uint32_t control_map = 0;  ///< bits of switch_component
  PortMask victim_mask, credit_mask;
  std::uint8_t threshold = 0;
  std::uint8_t packet_size = 0;
  std::uint8_t credit_starvation_threshold = 0;
  CctEntry credit_starvation_return_delay;
  std::uint16_t marking_rate = 0;

  bool operator==(const SwitchSetting&) const = default;
};
/// The values must be within cc_limits, as checked by check() of the set.
CcData encode(const SwitchSetting& setting);
SwitchSetting decode_switch_setting(const CcData& data);

/// A10.4.3.8.
CcData encode(const AdapterCongestionParameters& setting);
AdapterCongestionParameters decode_adapter_setting(const CcData& data);

/// A10.4.3.9: the part of the table in one MAD.
struct TableBlock {
  std::uint16_t ccti_limit = 0;  ///< of the whole table
  std::array<CctEntry, cc_limits::entries_per_block> entries;
};
/// `block`: 0 .. table.blocks() - 1. Entries beyond CCTI_Limit are 0.
CcData encode_block(const CongestionControlTable& table, std::size_t block);
TableBlock decode_block(const CcData& data);

}  // namespace pssp
