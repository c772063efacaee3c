// OpenSM has its own congestion control options: one setting for all switches and one for all
// adapters (osm_congestion_control.c). It reads them from opensm.conf with few checks: too large
// values overflow into neighboring fields of the MAD, a table ends at 128 entries, a line at 1022
// bytes. Its CCTI_Limit is the number of entries minus one. So this file checks a set, reduces it
// to OpenSM's abilities, and reports what it left out.

#include "congestion/opensm_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "congestion/parameter_values.h"

namespace pssp {
namespace {

/// The common mask of all switches; none if it differs between switches. Ports of both roles are
/// all cabled ports; mask bits of other ports have no effect.
std::optional<PortMask> mask_for_all_switches(const PortSelection& selection) {
  if (selection.is_uniform()) return selection.ports;
  if (!selection.host_facing || !selection.switch_facing) return std::nullopt;
  PortMask mask = selection.ports;
  for (std::size_t port = 1; port <= cc_limits::highest_port; ++port) mask.set(port);
  return mask;
}

void set_mask(OpensmCongestionOptions& options, std::array<std::uint8_t, 32>& bytes,
              const PortSelection& selection, std::string_view name, std::uint32_t component) {
  if (const auto mask = mask_for_all_switches(selection)) {
    bytes = port_mask_bytes(*mask);
    return;
  }
  if ((options.sw_cong_setting_control_map & component) == 0) return;
  options.sw_cong_setting_control_map &= ~component;
  options.left_out.push_back(fmt::format(
      "switch.{} = {} differs from switch to switch, but OpenSM sends one mask to all: it does not "
      "send this mask, and switches keep theirs; pssp cc apply sets it on each switch",
      name, ports_text(selection)));
}

std::string joined_entries(const std::vector<CctEntry>& entries) {
  std::vector<std::string> texts;
  texts.reserve(entries.size());
  for (const CctEntry entry : entries) texts.push_back(entry_text(entry));
  return fmt::format("{}", fmt::join(texts, ","));
}

void set_table(OpensmCongestionOptions& options, const CongestionControlTable& table) {
  const std::size_t kept = std::min(table.entries.size(), opensm_most_table_entries);
  options.cct.assign(table.entries.begin(),
                     table.entries.begin() + static_cast<std::ptrdiff_t>(kept));
  options.cct_text = joined_entries(options.cct);
  if (kept < table.entries.size()) {
    options.left_out.push_back(
        fmt::format("table.ccti_limit = {} needs {} entries, but OpenSM keeps {}: the table is "
                    "truncated, and CCTI_Limit becomes {}; pssp cc apply sends the whole table",
                    table.ccti_limit(), table.entries.size(), kept, kept - 1));
  }
}

std::string mask_text(const std::array<std::uint8_t, 32>& bytes) {
  return fmt::format("0x{:02X}", fmt::join(bytes, ""));
}

}  // namespace

OpensmCongestionOptions opensm_options(const CongestionParameters& parameters) {
  check(parameters);
  const SwitchCongestionParameters& switches = parameters.switches;
  OpensmCongestionOptions options;
  options.sw_cong_setting_control_map = switches.control_map;
  set_mask(options, options.sw_cong_setting_victim_mask, switches.victim_mask, "victim_mask",
           switch_component::victim_mask);
  set_mask(options, options.sw_cong_setting_credit_mask, switches.credit_mask, "credit_mask",
           switch_component::credit_mask);
  options.sw_cong_setting_threshold = switches.threshold;
  options.sw_cong_setting_packet_size = switches.packet_size;
  options.sw_cong_setting_credit_starvation_threshold = switches.credit_starvation_threshold;
  options.sw_cong_setting_credit_starvation_return_delay = switches.credit_starvation_return_delay;
  options.sw_cong_setting_marking_rate = switches.marking_rate;
  options.ca_cong_setting_port_control =
      static_cast<std::uint16_t>(parameters.adapters.port_control);
  options.ca_cong_setting_control_map = parameters.adapters.control_map;
  options.ca_cong_entries = parameters.adapters.sl;
  set_table(options, parameters.table);
  return options;
}

std::string opensm_conf_lines(const OpensmCongestionOptions& options) {
  std::string text;
  const auto line = [&text]<class Value>(std::string_view key, const Value& value) {
    text += fmt::format("{} {}\n", key, value);
  };
  for (const std::string& what : options.left_out) text += fmt::format("# {}\n", what);
  line("congestion_control", "TRUE");
  line("cc_sw_cong_setting_control_map",
       fmt::format("0x{:X}", options.sw_cong_setting_control_map));
  line("cc_sw_cong_setting_victim_mask", mask_text(options.sw_cong_setting_victim_mask));
  line("cc_sw_cong_setting_credit_mask", mask_text(options.sw_cong_setting_credit_mask));
  line("cc_sw_cong_setting_threshold", fmt::format("0x{:02X}", options.sw_cong_setting_threshold));
  line("cc_sw_cong_setting_packet_size", options.sw_cong_setting_packet_size);
  line("cc_sw_cong_setting_credit_starvation_threshold",
       fmt::format("0x{:02X}", options.sw_cong_setting_credit_starvation_threshold));
  line("cc_sw_cong_setting_credit_starvation_return_delay",
       entry_text(options.sw_cong_setting_credit_starvation_return_delay));
  line("cc_sw_cong_setting_marking_rate", options.sw_cong_setting_marking_rate);
  line("cc_ca_cong_setting_port_control",
       fmt::format("0x{:04X}", options.ca_cong_setting_port_control));
  line("cc_ca_cong_setting_control_map",
       fmt::format("0x{:04X}", options.ca_cong_setting_control_map));
  for (std::size_t sl = 0; sl < service_levels; ++sl) {
    const AdapterSlParameters& level = options.ca_cong_entries[sl];
    line("cc_ca_cong_setting_ccti_timer", fmt::format("{} {}", sl, level.ccti_timer));
    line("cc_ca_cong_setting_ccti_increase", fmt::format("{} {}", sl, level.ccti_increase));
    line("cc_ca_cong_setting_trigger_threshold", fmt::format("{} {}", sl, level.trigger_threshold));
    line("cc_ca_cong_setting_ccti_min", fmt::format("{} {}", sl, level.ccti_min));
  }
  constexpr std::string_view table_key = "cc_cct";
  const std::size_t table_line = table_key.size() + 1 + options.cct_text.size();
  if (table_line > opensm_longest_line) {
    throw Error(ErrorKind::usage,
                fmt::format("the line cc_cct would have {} bytes, but OpenSM reads only {} bytes "
                            "of a line; use a shorter table or coarser delays, or load the set "
                            "through the plugin, which has no such limit",
                            table_line, opensm_longest_line));
  }
  line(table_key, options.cct_text);
  return text;
}

}  // namespace pssp
