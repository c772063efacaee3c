#include "wire/congestion/attributes.h"

#include <algorithm>
#include <span>

#include "wire/big_endian.h"

namespace pssp {
namespace {

// Offsets in the attributes.
namespace info_at {
constexpr std::size_t table_blocks = 2;
}
namespace switch_at {
constexpr std::size_t control_map = 0, victim_mask = 4, credit_mask = 36, threshold = 68,
                      packet_size = 69, credit_starvation_threshold = 70, return_delay = 72,
                      marking_rate = 74;
}
namespace adapter_at {
constexpr std::size_t port_control = 0, control_map = 2, entries = 4, entry_size = 8;
}
namespace entry_at {
constexpr std::size_t ccti_timer = 0, ccti_increase = 2, trigger_threshold = 3, ccti_min = 4;
}
namespace table_at {
constexpr std::size_t ccti_limit = 0, entries = 4, entry_size = 2;
}

/// Thresholds are the upper four bits of their byte.
constexpr unsigned threshold_shift = 4;

using Bytes = std::span<std::uint8_t>;
using ConstBytes = std::span<const std::uint8_t>;

void put_mask(Bytes to, const PortMask& mask) {
  std::ranges::copy(port_mask_bytes(mask), to.begin());
}
PortMask take_mask(ConstBytes from) { return port_mask_of_bytes(from.first<32>()); }

}  // namespace

CongestionInfo decode_congestion_info(const CcData& data) { return {data[info_at::table_blocks]}; }

CcData encode(const SwitchSetting& setting) {
  CcData data{};
  const Bytes bytes(data);
  put(bytes.subspan(switch_at::control_map), setting.control_map);
  put_mask(bytes.subspan(switch_at::victim_mask), setting.victim_mask);
  put_mask(bytes.subspan(switch_at::credit_mask), setting.credit_mask);
  data[switch_at::threshold] = static_cast<std::uint8_t>(setting.threshold << threshold_shift);
  data[switch_at::packet_size] = setting.packet_size;
  data[switch_at::credit_starvation_threshold] =
      static_cast<std::uint8_t>(setting.credit_starvation_threshold << threshold_shift);
  put(bytes.subspan(switch_at::return_delay), setting.credit_starvation_return_delay.bits());
  put(bytes.subspan(switch_at::marking_rate), setting.marking_rate);
  return data;
}

SwitchSetting decode_switch_setting(const CcData& data) {
  const ConstBytes bytes(data);
  SwitchSetting setting;
  setting.control_map = take<std::uint32_t>(bytes.subspan(switch_at::control_map));
  setting.victim_mask = take_mask(bytes.subspan(switch_at::victim_mask));
  setting.credit_mask = take_mask(bytes.subspan(switch_at::credit_mask));
  setting.threshold = static_cast<std::uint8_t>(data[switch_at::threshold] >> threshold_shift);
  setting.packet_size = data[switch_at::packet_size];
  setting.credit_starvation_threshold =
      static_cast<std::uint8_t>(data[switch_at::credit_starvation_threshold] >> threshold_shift);
  setting.credit_starvation_return_delay =
      CctEntry::of_bits(take<std::uint16_t>(bytes.subspan(switch_at::return_delay)));
  setting.marking_rate = take<std::uint16_t>(bytes.subspan(switch_at::marking_rate));
  return setting;
}

CcData encode(const AdapterCongestionParameters& setting) {
  CcData data{};
  const Bytes bytes(data);
  put(bytes.subspan(adapter_at::port_control), static_cast<std::uint16_t>(setting.port_control));
  put(bytes.subspan(adapter_at::control_map), setting.control_map);
  Bytes entry = bytes.subspan(adapter_at::entries);
  for (const AdapterSlParameters& sl : setting.sl) {
    put(entry.subspan(entry_at::ccti_timer), sl.ccti_timer);
    entry[entry_at::ccti_increase] = sl.ccti_increase;
    entry[entry_at::trigger_threshold] = sl.trigger_threshold;
    entry[entry_at::ccti_min] = sl.ccti_min;
    entry = entry.subspan(adapter_at::entry_size);
  }
  return data;
}

AdapterCongestionParameters decode_adapter_setting(const CcData& data) {
  const ConstBytes bytes(data);
  AdapterCongestionParameters setting;
  // The other fifteen bits are reserved.
  setting.port_control = static_cast<CongestionScope>(
      take<std::uint16_t>(bytes.subspan(adapter_at::port_control)) & 1U);
  setting.control_map = take<std::uint16_t>(bytes.subspan(adapter_at::control_map));
  ConstBytes entry = bytes.subspan(adapter_at::entries);
  for (AdapterSlParameters& sl : setting.sl) {
    sl.ccti_timer = take<std::uint16_t>(entry.subspan(entry_at::ccti_timer));
    sl.ccti_increase = entry[entry_at::ccti_increase];
    sl.trigger_threshold = entry[entry_at::trigger_threshold];
    sl.ccti_min = entry[entry_at::ccti_min];
    entry = entry.subspan(adapter_at::entry_size);
  }
  return setting;
}

CcData encode_block(const CongestionControlTable& table, std::size_t block) {
  CcData data{};
  const Bytes bytes(data);
  put(bytes.subspan(table_at::ccti_limit), table.ccti_limit());
  const std::size_t first = block * cc_limits::entries_per_block;
  const std::size_t count = std::min(cc_limits::entries_per_block, table.entries.size() - first);
  for (std::size_t i = 0; i < count; ++i) {
    put(bytes.subspan(table_at::entries + i * table_at::entry_size),
        table.entries[first + i].bits());
  }
  return data;
}

TableBlock decode_block(const CcData& data) {
  const ConstBytes bytes(data);
  TableBlock block;
  block.ccti_limit = take<std::uint16_t>(bytes.subspan(table_at::ccti_limit));
  for (std::size_t i = 0; i < block.entries.size(); ++i) {
    block.entries[i] = CctEntry::of_bits(
        take<std::uint16_t>(bytes.subspan(table_at::entries + i * table_at::entry_size)));
  }
  return block;
}

}  // namespace pssp
