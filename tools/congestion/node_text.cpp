#include "tools/congestion/node_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "congestion/parameter_values.h"

namespace pssp {
namespace {

std::string mask_text(const PortMask& mask) { return ports_text({false, false, mask}); }

std::string timer_text(std::uint16_t units) {
  return fmt::format("{} ({})", units, ccti_timer_as_time(units));
}

/// The ports of a switch, including port 0: a mask may contain others, which are meaningless.
PortMask first_ports(std::size_t count) {
  PortMask mask;
  for (std::size_t port = 0; port < count; ++port) mask.set(port);
  return mask;
}
PortMask ports_of(const CcNode& node) { return first_ports(node.roles.size()); }

/// One value of a switch setting, in text.
struct SwitchField {
  std::uint32_t component;
  const char* name;
  std::string (*text)(const SwitchSetting&, const PortMask& ports);
};

constexpr SwitchField switch_fields[] = {
    {switch_component::victim_mask, "switch.victim_mask",
     [](const SwitchSetting& s, const PortMask& ports) {
       return mask_text(s.victim_mask & ports);
     }},
    {switch_component::credit_mask, "switch.credit_mask",
     [](const SwitchSetting& s, const PortMask& ports) {
       return mask_text(s.credit_mask & ports);
     }},
    {switch_component::threshold_and_packet_size, "switch.threshold",
     [](const SwitchSetting& s, const PortMask&) { return std::to_string(s.threshold); }},
    {switch_component::threshold_and_packet_size, "switch.packet_size",
     [](const SwitchSetting& s, const PortMask&) { return std::to_string(s.packet_size); }},
    {switch_component::credit_starvation, "switch.credit_starvation_threshold",
     [](const SwitchSetting& s, const PortMask&) {
       return std::to_string(s.credit_starvation_threshold);
     }},
    {switch_component::credit_starvation, "switch.credit_starvation_return_delay",
     [](const SwitchSetting& s, const PortMask&) {
       return entry_text(s.credit_starvation_return_delay);
     }},
    {switch_component::marking_rate, "switch.marking_rate",
     [](const SwitchSetting& s, const PortMask&) { return std::to_string(s.marking_rate); }},
};

/// One value of a service level, in text.
struct LevelField {
  const char* name;
  std::string (*text)(const AdapterSlParameters&);
};

constexpr LevelField level_fields[] = {
    {"ccti_timer", [](const AdapterSlParameters& sl) { return timer_text(sl.ccti_timer); }},
    {"ccti_increase",
     [](const AdapterSlParameters& sl) { return std::to_string(sl.ccti_increase); }},
    {"trigger_threshold",
     [](const AdapterSlParameters& sl) { return std::to_string(sl.trigger_threshold); }},
    {"ccti_min", [](const AdapterSlParameters& sl) { return std::to_string(sl.ccti_min); }},
};

/// "adapter.ccti_timer", with the service levels unless it applies to all of them.
std::string level_name(const char* field, std::uint16_t levels) {
  std::string name = fmt::format("adapter.{}", field);
  if (levels != 0xffff) name += fmt::format(" (SL {})", service_levels_text(levels));
  return name;
}

std::vector<SettingDifference> switch_differences(const PortMask& ports, const SwitchSetting& found,
                                                  const SwitchSetting& expected) {
  std::vector<SettingDifference> list;
  for (const SwitchField& field : switch_fields) {
    if ((expected.control_map & field.component) == 0) continue;
    std::string found_text = field.text(found, ports);
    std::string expected_text = field.text(expected, ports);
    if (found_text != expected_text) {
      list.push_back({field.name, std::move(found_text), std::move(expected_text)});
    }
  }
  return list;
}

void compare_levels(const AdapterCongestionParameters& found,
                    const AdapterCongestionParameters& expected,
                    std::vector<SettingDifference>& list) {
  for (const LevelField& field : level_fields) {
    std::map<std::pair<std::string, std::string>, std::uint16_t> levels_of;
    for (std::size_t sl = 0; sl < service_levels; ++sl) {
      if ((expected.control_map >> sl & 1U) == 0) continue;
      std::pair texts(field.text(found.sl[sl]), field.text(expected.sl[sl]));
      if (texts.first == texts.second) continue;
      std::uint16_t& levels = levels_of[std::move(texts)];
      levels = static_cast<std::uint16_t>(levels | 1U << sl);
    }
    for (const auto& [texts, levels] : levels_of) {
      list.push_back({level_name(field.name, levels), texts.first, texts.second});
    }
  }
}

/// For adapters, without the table.
std::vector<SettingDifference> adapter_differences(const AdapterCongestionParameters& found,
                                                   const AdapterCongestionParameters& expected) {
  std::vector<SettingDifference> list;
  if (found.port_control != expected.port_control) {
    list.push_back({"adapter.port_control", std::string(scope_text(found.port_control)),
                    std::string(scope_text(expected.port_control))});
  }
  compare_levels(found, expected, list);
  return list;
}

/// `index` is that of the first entry.
void compare_entries(std::span<const CctEntry> found, std::span<const CctEntry> expected,
                     std::size_t index, std::vector<SettingDifference>& list) {
  std::size_t differing = 0, first = 0;
  for (std::size_t i = std::min(found.size(), expected.size()); i-- > 0;) {
    if (found[i] == expected[i]) continue;
    ++differing;
    first = i;
  }
  if (differing == 0) return;
  list.push_back({differing == 1
                      ? fmt::format("table entry {}", index + first)
                      : fmt::format("{} table entries, first {}", differing, index + first),
                  entry_text(found[first]), entry_text(expected[first])});
}

void compare_tables(const std::vector<CctEntry>& found, const std::vector<CctEntry>& expected,
                    std::vector<SettingDifference>& list) {
  if (found.size() != expected.size()) {
    list.push_back({"table.ccti_limit", std::to_string(found.size() - 1),
                    std::to_string(expected.size() - 1)});
  }
  compare_entries(found, expected, 0, list);
}

/// Ignores entries beyond the limit.
std::vector<SettingDifference> block_differences(std::size_t block, const TableBlock& found,
                                                 const TableBlock& expected) {
  if (found.ccti_limit != expected.ccti_limit) {
    return {{"table.ccti_limit", std::to_string(found.ccti_limit),
             std::to_string(expected.ccti_limit)}};
  }
  std::vector<SettingDifference> list;
  const std::size_t first = block * cc_limits::entries_per_block;
  const std::size_t end = std::size_t{expected.ccti_limit} + 1;
  if (first >= end) return list;
  const std::size_t count = std::min(cc_limits::entries_per_block, end - first);
  compare_entries(std::span(found.entries).first(count), std::span(expected.entries).first(count),
                  first, list);
  return list;
}

}  // namespace

std::vector<SettingDifference> differences(const CcNode& node, const NodeReading& reading,
                                           const CongestionParameters& expected) {
  if (node.is_switch) {
    return switch_differences(ports_of(node), reading.switch_setting,
                              setting_of_switch(expected.switches, node.roles));
  }
  std::vector<SettingDifference> list = adapter_differences(reading.adapter, expected.adapters);
  compare_tables(reading.table, expected.table.entries, list);
  return list;
}

std::vector<SettingDifference> differences_in_answer(const CcRequest& sent, const CcData& answer,
                                                     unsigned ports) {
  switch (sent.attribute) {
    case CcAttribute::switch_setting:
      return switch_differences(first_ports(std::size_t{ports} + 1), decode_switch_setting(answer),
                                decode_switch_setting(sent.data));
    case CcAttribute::adapter_setting:
      return adapter_differences(decode_adapter_setting(answer), decode_adapter_setting(sent.data));
    case CcAttribute::table:
      return block_differences(sent.modifier, decode_block(answer), decode_block(sent.data));
    case CcAttribute::congestion_info:
      break;
  }
  return {};
}

std::vector<NamedSetting> describe(const CcNode& node, const NodeReading& reading,
                                   bool only_named) {
  std::vector<NamedSetting> lines;
  if (node.is_switch) {
    for (const SwitchField& field : switch_fields) {
      if (only_named && (reading.switch_setting.control_map & field.component) == 0) continue;
      lines.push_back({field.name, field.text(reading.switch_setting, ports_of(node))});
    }
    return lines;
  }
  lines.push_back({"adapter.port_control", std::string(scope_text(reading.adapter.port_control))});
  for (const LevelField& field : level_fields) {
    std::map<std::string, std::uint16_t> levels_of;
    for (std::size_t sl = 0; sl < service_levels; ++sl) {
      if (only_named && (reading.adapter.control_map >> sl & 1U) == 0) continue;
      std::uint16_t& levels = levels_of[field.text(reading.adapter.sl[sl])];
      levels = static_cast<std::uint16_t>(levels | 1U << sl);
    }
    for (const auto& [text, levels] : levels_of) {
      lines.push_back({level_name(field.name, levels), text});
    }
  }
  lines.push_back({"table.ccti_limit", std::to_string(reading.table.size() - 1)});
  lines.push_back({"table, last entry", entry_text(reading.table.back())});
  return lines;
}

}  // namespace pssp
