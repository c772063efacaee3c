#include "congestion/parameter_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "congestion/injection_delay.h"
#include "congestion/parameter_values.h"

namespace pssp {
namespace {

using Lines = std::vector<ParameterLine>;

void add(Lines& lines, std::string name, std::string value, std::string remark = {}) {
  lines.push_back({std::move(name), std::move(value), std::move(remark)});
}

void add_switches(Lines& lines, const SwitchCongestionParameters& switches) {
  const CctEntry delay = switches.credit_starvation_return_delay;
  add(lines, "switch.control_map", switch_components_text(switches.control_map),
      fmt::format("0x{:02X}", switches.control_map));
  add(lines, "switch.victim_mask", ports_text(switches.victim_mask));
  add(lines, "switch.credit_mask", ports_text(switches.credit_mask));
  add(lines, "switch.threshold", std::to_string(switches.threshold));
  add(lines, "switch.packet_size", std::to_string(switches.packet_size),
      fmt::format("{} bytes", switches.packet_size * packet_size_unit_bytes));
  add(lines, "switch.credit_starvation_threshold",
      std::to_string(switches.credit_starvation_threshold));
  add(lines, "switch.credit_starvation_return_delay", entry_text(delay),
      fmt::format("{} packet times", delay_in_packets(delay)));
  add(lines, "switch.marking_rate", std::to_string(switches.marking_rate));
}

/// The settings of one service level: those that differ from `from` if given, else all.
void add_service_level(Lines& lines, const std::string& prefix, const AdapterSlParameters& sl,
                       const AdapterSlParameters* from) {
  if (from == nullptr || sl.ccti_timer != from->ccti_timer) {
    add(lines, prefix + "ccti_timer", std::to_string(sl.ccti_timer),
        ccti_timer_as_time(sl.ccti_timer));
  }
  const auto add_number = [&](const char* name, std::uint8_t AdapterSlParameters::*field) {
    if (from == nullptr || sl.*field != from->*field) {
      add(lines, prefix + name, std::to_string(sl.*field));
    }
  };
  add_number("ccti_increase", &AdapterSlParameters::ccti_increase);
  add_number("trigger_threshold", &AdapterSlParameters::trigger_threshold);
  add_number("ccti_min", &AdapterSlParameters::ccti_min);
}

void add_adapters(Lines& lines, const AdapterCongestionParameters& adapters) {
  add(lines, "adapter.port_control", std::string(scope_text(adapters.port_control)));
  add(lines, "adapter.control_map", service_levels_text(adapters.control_map),
      fmt::format("0x{:04X}", adapters.control_map));
  add_service_level(lines, "adapter.", adapters.sl[0], nullptr);
  for (std::size_t sl = 1; sl < service_levels; ++sl) {
    add_service_level(lines, fmt::format("adapter.sl{}.", sl), adapters.sl[sl], &adapters.sl[0]);
  }
}

void add_table(Lines& lines, const CongestionControlTable& table) {
  add(lines, "table.mtu", std::to_string(table.mtu));
  add(lines, "table.link_rate", to_string(table.link_rate),
      fmt::format("{:.1f} ns a packet", packet_time_ns(table.mtu, table.link_rate)));
  if (table.capacity_blocks != 0) {
    add(lines, "table.capacity", std::to_string(table.capacity_blocks),
        fmt::format("{} entries", table.capacity_blocks * cc_limits::entries_per_block));
  }
  add(lines, "table.ccti_limit", std::to_string(table.ccti_limit()),
      fmt::format("{} entries", table.entries.size()));
  if (table.origin) {
    add(lines, "table.law", std::string(law_text(table.origin->law)));
    if (table.origin->flows != 0) {
      add(lines, "table.flows", std::to_string(table.origin->flows));
    } else {
      add(lines, "table.largest_delay", nanoseconds_text(table.origin->largest_delay_ns));
    }
    return;
  }
  for (std::size_t block = 0; block < table.blocks(); ++block) {
    const std::size_t first = block * cc_limits::entries_per_block;
    const std::size_t last = std::min(first + cc_limits::entries_per_block, table.entries.size());
    std::vector<std::string> values;
    for (std::size_t i = first; i < last; ++i) values.push_back(entry_text(table.entries[i]));
    add(lines, fmt::format("table.block.{}", block), fmt::format("{}", fmt::join(values, ",")));
  }
}

}  // namespace

std::vector<ParameterLine> parameter_lines(const CongestionParameters& parameters) {
  Lines lines;
  add_switches(lines, parameters.switches);
  add_adapters(lines, parameters.adapters);
  add_table(lines, parameters.table);
  return lines;
}

std::string congestion_parameters_text(const CongestionParameters& parameters) {
  std::string text, part;
  for (const ParameterLine& line : parameter_lines(parameters)) {
    const std::string name_part = line.name.substr(0, line.name.find('.'));
    if (!part.empty() && name_part != part) text += '\n';
    part = name_part;
    text += fmt::format("{} = {}{}{}\n", line.name, line.value, line.remark.empty() ? "" : "  # ",
                        line.remark);
  }
  return text;
}

}  // namespace pssp
