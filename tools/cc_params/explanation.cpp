#include "tools/cc_params/explanation.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "base/text_table.h"
#include "congestion/cct_generation.h"
#include "congestion/injection_delay.h"
#include "congestion/opensm_options.h"
#include "congestion/parameter_text.h"
#include "congestion/parameter_values.h"
#include "congestion/remarks.h"

namespace pssp {
namespace {

/// The effect of one entry of the table.
struct EntryEffect {
  CctEntry entry;
  double packets = 0;           ///< delay in packet times
  double nanoseconds = 0;       ///< the same for full packets on the configured link
  double share = 0;             ///< of the link
  double gigabits = 0;          ///< the same in Gbit/s
  std::optional<double> error;  ///< delay minus that of the law, packet times
};

std::vector<EntryEffect> effects_of(const CongestionControlTable& table) {
  const double packet_time = packet_time_ns(table.mtu, table.link_rate);
  const double largest =
      table.origin ? largest_delay(*table.origin, table.mtu, table.link_rate) : 0;
  std::vector<EntryEffect> effects;
  effects.reserve(table.entries.size());
  for (std::size_t i = 0; i < table.entries.size(); ++i) {
    EntryEffect effect{.entry = table.entries[i], .error = {}};
    effect.packets = delay_in_packets(effect.entry);
    effect.nanoseconds = effect.packets * packet_time;
    effect.share = share_of_link(effect.packets);
    effect.gigabits = effect.share * table.link_rate.capacity() / 1000;
    if (table.origin) {
      effect.error =
          effect.packets - delay_of_law(table.origin->law, largest, i, table.ccti_limit());
    }
    effects.push_back(effect);
  }
  return effects;
}

std::string timer_effect(const AdapterSlParameters& sl, const CongestionControlTable& table) {
  return fmt::format(
      "{} units of 1.024 us: the index falls by one every {}, from CCTI_Limit to 0 in {}",
      sl.ccti_timer, ccti_timer_as_time(sl.ccti_timer),
      nanoseconds_text(std::uint64_t{sl.ccti_timer} * ccti_timer_unit_ns * table.ccti_limit()));
}

/// The effect of a setting as a line; empty for self-explanatory settings.
std::string effect_of(std::string_view name, const CongestionParameters& parameters) {
  const AdapterSlParameters& sl = parameters.adapters.sl[0];
  if (name == "switch.control_map") return "settings that switches take over; they keep all others";
  if (name == "switch.victim_mask") return "ports that mark packets even as victims of congestion";
  if (name == "switch.credit_mask") return "ports that apply credit starvation";
  if (name == "switch.threshold") return "0 marks nothing, 1 marks late, 15 marks early";
  if (name == "switch.packet_size") {
    return fmt::format("packets below {} bytes are not marked",
                       parameters.switches.packet_size * packet_size_unit_bytes);
  }
  if (name == "switch.credit_starvation_threshold") return "0 off, 1 late, 15 early";
  if (name == "switch.credit_starvation_return_delay") return "shift:multiplier, as in the table";
  if (name == "switch.marking_rate") {
    return fmt::format("on average, {} unmarked packets between two marked packets",
                       parameters.switches.marking_rate);
  }
  if (name == "adapter.port_control") {
    return parameters.adapters.port_control == CongestionScope::queue_pair
               ? "a marked packet slows down its queue pair"
               : "a marked packet slows down all traffic of its service level at the port";
  }
  if (name == "adapter.control_map") return "service levels whose settings adapters take over";
  if (name == "adapter.ccti_timer") return timer_effect(sl, parameters.table);
  if (name == "adapter.ccti_increase") {
    return fmt::format("a marked packet raises the index into the table by {}", sl.ccti_increase);
  }
  if (name == "adapter.trigger_threshold") return "index at which the adapter logs an event";
  if (name == "adapter.ccti_min") return "lowest index";
  if (name == "table.ccti_limit") {
    return fmt::format("highest index: {} entries, {} MADs", parameters.table.entries.size(),
                       parameters.table.blocks());
  }
  if (name == "table.flows") return "number of flows that share a link fairly at CCTI_Limit";
  return {};
}

std::string table_text(const CongestionControlTable& table) {
  std::vector<TableRow> rows{
      {"CCTI", "shift:multiplier", "packet times", "rounding error", "delay", "of link", "Gbit/s"}};
  std::size_t i = 0;
  for (const EntryEffect& effect : effects_of(table)) {
    rows.push_back(
        {fmt::to_string(i++), entry_text(effect.entry), fmt::format("{:.3f}", effect.packets),
         effect.error ? fmt::format("{:+.4f}", *effect.error) : "-",
         fmt::format("{:.1f} ns", effect.nanoseconds), fmt::format("{:.3f} %", 100 * effect.share),
         fmt::format("{:.4f}", effect.gigabits)});
  }
  return text_table(rows, {.flush_left = {false}});
}

nlohmann::ordered_json table_json(const CongestionControlTable& table) {
  nlohmann::ordered_json json;
  json["ccti_limit"] = table.ccti_limit();
  json["mtu"] = table.mtu;
  json["link_rate"] = to_string(table.link_rate);
  json["packet_time_ns"] = packet_time_ns(table.mtu, table.link_rate);
  if (table.capacity_blocks != 0) json["capacity"] = table.capacity_blocks;
  if (table.origin) json["law"] = law_text(table.origin->law);
  if (table.origin && table.origin->flows != 0) json["flows"] = table.origin->flows;
  if (table.origin && table.origin->flows == 0) {
    json["largest_delay_ns"] = table.origin->largest_delay_ns;
  }
  nlohmann::ordered_json entries = nlohmann::ordered_json::array();
  for (const EntryEffect& effect : effects_of(table)) {
    nlohmann::ordered_json entry{
        {"shift", effect.entry.shift},   {"multiplier", effect.entry.multiplier},
        {"delay", effect.packets},       {"delay_ns", effect.nanoseconds},
        {"share_of_link", effect.share}, {"gigabits_per_second", effect.gigabits}};
    if (effect.error) entry["rounding_error"] = *effect.error;
    entries.push_back(std::move(entry));
  }
  json["entries"] = std::move(entries);
  return json;
}

nlohmann::ordered_json switches_json(const SwitchCongestionParameters& switches) {
  return {{"control_map", switches.control_map},
          {"victim_mask", ports_text(switches.victim_mask)},
          {"credit_mask", ports_text(switches.credit_mask)},
          {"threshold", switches.threshold},
          {"packet_size", switches.packet_size},
          {"credit_starvation_threshold", switches.credit_starvation_threshold},
          {"credit_starvation_return_delay", entry_text(switches.credit_starvation_return_delay)},
          {"marking_rate", switches.marking_rate}};
}

nlohmann::ordered_json adapters_json(const AdapterCongestionParameters& adapters) {
  nlohmann::ordered_json json;
  json["port_control"] = scope_text(adapters.port_control);
  json["control_map"] = adapters.control_map;
  nlohmann::ordered_json levels = nlohmann::ordered_json::array();
  for (const AdapterSlParameters& sl : adapters.sl) {
    levels.push_back({{"ccti_timer", sl.ccti_timer},
                      {"ccti_timer_ns", std::uint64_t{sl.ccti_timer} * ccti_timer_unit_ns},
                      {"ccti_increase", sl.ccti_increase},
                      {"trigger_threshold", sl.trigger_threshold},
                      {"ccti_min", sl.ccti_min}});
  }
  json["service_levels"] = std::move(levels);
  return json;
}

}  // namespace

std::string explanation_text(const CongestionParameters& parameters) {
  std::string text;
  for (const ParameterLine& line : parameter_lines(parameters)) {
    // Listed below in a better form.
    if (line.name.starts_with("table.block.")) continue;
    std::string effect = effect_of(line.name, parameters);
    if (effect.empty()) effect = line.remark;
    text +=
        fmt::format("{:<37} {}{}{}\n", line.name, line.value, effect.empty() ? "" : ": ", effect);
  }
  text += '\n' + table_text(parameters.table);
  std::string notes;
  for (const std::string& remark : remarks(parameters)) notes += fmt::format("- {}\n", remark);
  for (const std::string& what : opensm_options(parameters).left_out) {
    notes += fmt::format("- with OpenSM: {}\n", what);
  }
  return notes.empty() ? text : text + "\nNote\n" + notes;
}

nlohmann::ordered_json explanation_json(const CongestionParameters& parameters) {
  return {{"switches", switches_json(parameters.switches)},
          {"adapters", adapters_json(parameters.adapters)},
          {"table", table_json(parameters.table)},
          {"remarks", remarks(parameters)},
          {"opensm_leaves_out", opensm_options(parameters).left_out}};
}

}  // namespace pssp
