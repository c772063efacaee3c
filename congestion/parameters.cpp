// The attribute fields are narrower than the types that hold them here: a threshold has 4 bits, a
// multiplier 14. OpenSM shifts such values into place unchecked, so that a threshold of 16 becomes
// 0, and a multiplier of 20000 changes the shift. check() prevents such errors; it must be called
// before a set goes to OpenSM or a device.

#include "congestion/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "congestion/injection_delay.h"

namespace pssp {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::usage, message); }

void require(std::string_view field, std::uint32_t value, std::uint32_t largest) {
  if (value > largest) {
    refuse(fmt::format("{} is {}; expected 0 .. {}", field, value, largest));
  }
}

void require(std::string_view field, CctEntry entry) {
  require(fmt::format("the shift of {}", field), entry.shift, cc_limits::shift);
  require(fmt::format("the multiplier of {}", field), entry.multiplier, cc_limits::multiplier);
}

void require(std::string_view field, const PortSelection& selection) {
  if (selection.ports.test(cc_limits::highest_port + 1)) {
    refuse(fmt::format("{} has bit {}, which is reserved; expected ports 0 .. {}", field,
                       cc_limits::highest_port + 1, cc_limits::highest_port));
  }
}

void check_switches(const SwitchCongestionParameters& switches) {
  require("Control_Map of the switches", switches.control_map, cc_limits::switch_control_map);
  require("Victim_Mask", switches.victim_mask);
  require("Credit_Mask", switches.credit_mask);
  require("Threshold", switches.threshold, cc_limits::threshold);
  require("CS_Threshold", switches.credit_starvation_threshold, cc_limits::threshold);
  require("CS_ReturnDelay", switches.credit_starvation_return_delay);
}

void check_table(const CongestionControlTable& table) {
  if (table.entries.empty()) refuse("the congestion control table has no entry");
  check_capacity(table,
                 table.capacity_blocks != 0 ? table.capacity_blocks : cc_limits::most_blocks);
  for (std::size_t i = 0; i < table.entries.size(); ++i) {
    require(fmt::format("entry {} of the table", i), table.entries[i]);
  }
  if (const auto fall = first_fall(table)) {
    refuse(fmt::format(
        "entry {} of the table has a shorter delay than the one before it ({} after "
        "{} packet times); delays must not fall",
        *fall, delay_in_packets(table.entries[*fall]), delay_in_packets(table.entries[*fall - 1])));
  }
  constexpr std::array<std::uint32_t, 5> mtus{256, 512, 1024, 2048, 4096};
  if (std::find(mtus.begin(), mtus.end(), table.mtu) == mtus.end()) {
    refuse(fmt::format("the MTU is {}; expected 256, 512, 1024, 2048 or 4096", table.mtu));
  }
  if (to_string(table.link_rate).empty()) {
    refuse(
        "the link rate is missing or not an InfiniBand rate; expected a rate such as 4xQDR or "
        "4xHDR");
  }
}

}  // namespace

std::array<std::uint8_t, 32> port_mask_bytes(const PortMask& mask) {
  std::array<std::uint8_t, 32> bytes{};
  for (std::size_t port = 0; port < mask.size(); ++port) {
    if (mask.test(port)) {
      std::uint8_t& byte = bytes[bytes.size() - 1 - port / 8];
      byte = static_cast<std::uint8_t>(byte | (1U << (port % 8)));
    }
  }
  return bytes;
}

PortMask port_mask_of_bytes(std::span<const std::uint8_t, 32> bytes) {
  PortMask mask;
  for (std::size_t port = 0; port < mask.size(); ++port) {
    mask[port] = ((bytes[bytes.size() - 1 - port / 8] >> (port % 8)) & 1U) != 0;
  }
  return mask;
}

PortMask resolve(const PortSelection& selection, std::span<const PortRole> roles) {
  PortMask mask = selection.ports;
  const std::size_t ports = std::min<std::size_t>(roles.size(), cc_limits::highest_port + 1);
  for (std::size_t port = 1; port < ports; ++port) {
    if ((selection.host_facing && roles[port] == PortRole::host_facing) ||
        (selection.switch_facing && roles[port] == PortRole::switch_facing)) {
      mask.set(port);
    }
  }
  return mask;
}

std::optional<std::size_t> first_fall(const CongestionControlTable& table) {
  for (std::size_t i = 1; i < table.entries.size(); ++i) {
    if (delay_in_eighths(table.entries[i]) < delay_in_eighths(table.entries[i - 1])) return i;
  }
  return std::nullopt;
}

void check_capacity(const CongestionControlTable& table, std::size_t capacity_blocks) {
  const std::size_t capacity = capacity_blocks * cc_limits::entries_per_block;
  if (table.entries.size() > capacity) {
    refuse(
        fmt::format("the table has {} entries (CCTI_Limit {}), more than the {} of {} blocks of "
                    "64; expected a CCTI_Limit up to {}",
                    table.entries.size(), table.entries.size() - 1, capacity, capacity_blocks,
                    capacity == 0 ? 0 : capacity - 1));
  }
}

void check(const CongestionParameters& parameters) {
  check_switches(parameters.switches);
  require("Port_Control", static_cast<std::uint16_t>(parameters.adapters.port_control),
          static_cast<std::uint16_t>(CongestionScope::service_level));
  check_table(parameters.table);
  for (std::size_t sl = 0; sl < service_levels; ++sl) {
    if (parameters.adapters.sl[sl].ccti_min > parameters.table.ccti_limit()) {
      refuse(fmt::format(
          "CCTI_Min of service level {} is {}, which exceeds CCTI_Limit; expected 0 .. {}", sl,
          parameters.adapters.sl[sl].ccti_min, parameters.table.ccti_limit()));
    }
  }
}

}  // namespace pssp
