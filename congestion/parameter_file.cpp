// A file is read setting by setting, so that every error has a line number. Three steps wait until
// all settings are known: the table (table_notation.cpp), delays given as a time, and defaults that
// depend on other settings: a missing control map includes what the file sets, and a missing
// service level has the value for all levels.

#include "congestion/parameter_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "base/text_lines.h"
#include "congestion/parameter_values.h"
#include "congestion/settings.h"
#include "congestion/table_notation.h"

namespace pssp {
namespace {

constexpr std::size_t largest_file = std::size_t{1} << 20;

constexpr std::size_t every_level = service_levels;

/// Removes sl0. .. sl15. from the front of `name`; returns every_level if there is none.
std::size_t take_service_level(std::string_view& name) {
  std::string_view rest = name;
  if (!take(rest, "sl")) return every_level;
  const std::uint64_t sl = take_number(rest).value_or(service_levels);
  if (sl >= service_levels || !take(rest, ".")) {
    throw Error(ErrorKind::usage,
                fmt::format("unknown service level; expected sl0 .. sl{}", service_levels - 1));
  }
  name = rest;
  return sl;
}

/// Reads the settings of one file into one set.
class ParameterReader {
 public:
  ParameterReader(std::string_view file, std::filesystem::path folder, FileSource reader)
      : file_(file), table_(file, std::move(folder), std::move(reader)) {}

  CongestionParameters read(std::string_view text);

 private:
  struct SwitchKey {
    std::string_view name;
    std::uint32_t component;
    void (*set)(SwitchCongestionParameters&, std::string_view value);
  };
  struct SlKey {
    std::string_view name;
    void (*set)(AdapterSlParameters&, std::string_view value);
  };
  static const std::array<SwitchKey, 6> switch_keys;
  static const std::array<SlKey, 4> sl_keys;

  void take_setting(const Setting& setting);
  bool set_switch(std::string_view name, const Setting& setting);
  bool set_adapter(std::string_view name, const Setting& setting);
  bool set_service_level(std::string_view name, const Setting& setting);
  [[noreturn]] static void refuse_name();
  void finish_switches();
  void finish_adapters();
  void check_ccti_min() const;

  std::string file_;
  TableNotation table_;
  CongestionParameters set_;
  std::optional<Setting> return_delay_;
  bool switch_map_stated_ = false, adapter_map_stated_ = false;
  std::uint32_t components_ = 0;
  /// Settings for all service levels and for single ones, by name and number; applied at the end.
  std::map<std::string, Setting, std::less<>> for_all_levels_;
  std::map<std::pair<std::string, std::size_t>, Setting> for_level_;
};

const std::array<ParameterReader::SwitchKey, 6> ParameterReader::switch_keys{{
    {"victim_mask", switch_component::victim_mask,
     [](SwitchCongestionParameters& to, std::string_view value) {
       to.victim_mask = read_ports(value);
     }},
    {"credit_mask", switch_component::credit_mask,
     [](SwitchCongestionParameters& to, std::string_view value) {
       to.credit_mask = read_ports(value);
     }},
    {"threshold", switch_component::threshold_and_packet_size,
     [](SwitchCongestionParameters& to, std::string_view value) {
       to.threshold = static_cast<std::uint8_t>(read_number(value, 0, cc_limits::threshold));
     }},
    {"packet_size", switch_component::threshold_and_packet_size,
     [](SwitchCongestionParameters& to, std::string_view value) {
       to.packet_size = read_packet_size(value);
     }},
    {"credit_starvation_threshold", switch_component::credit_starvation,
     [](SwitchCongestionParameters& to, std::string_view value) {
       to.credit_starvation_threshold =
           static_cast<std::uint8_t>(read_number(value, 0, cc_limits::threshold));
     }},
    {"marking_rate", switch_component::marking_rate,
     [](SwitchCongestionParameters& to, std::string_view value) {
       to.marking_rate = static_cast<std::uint16_t>(read_number(value, 0, cc_limits::marking_rate));
     }},
}};

const std::array<ParameterReader::SlKey, 4> ParameterReader::sl_keys{{
    {"ccti_timer", [](AdapterSlParameters& to,
                      std::string_view value) { to.ccti_timer = read_ccti_timer(value); }},
    {"ccti_increase",
     [](AdapterSlParameters& to, std::string_view value) {
       to.ccti_increase =
           static_cast<std::uint8_t>(read_number(value, 0, cc_limits::ccti_increase));
     }},
    {"trigger_threshold",
     [](AdapterSlParameters& to, std::string_view value) {
       to.trigger_threshold =
           static_cast<std::uint8_t>(read_number(value, 0, cc_limits::trigger_threshold));
     }},
    {"ccti_min",
     [](AdapterSlParameters& to, std::string_view value) {
       to.ccti_min = static_cast<std::uint8_t>(read_number(value, 0, cc_limits::ccti_min));
     }},
}};

CongestionParameters ParameterReader::read(std::string_view text) {
  for (const Setting& setting : read_settings(text, file_)) {
    try {
      take_setting(setting);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::usage) throw;
      fail_at(file_, setting.line, fmt::format("{}: {}", excerpt(setting.name), error.what()));
    }
  }
  finish_switches();
  finish_adapters();
  set_.table = table_.build();
  check_ccti_min();
  check(set_);
  return std::move(set_);
}

void ParameterReader::take_setting(const Setting& setting) {
  std::string_view name = setting.name;
  const bool known = take(name, "switch.")    ? set_switch(name, setting)
                     : take(name, "adapter.") ? set_adapter(name, setting)
                     : take(name, "table.")   ? table_.set(name, setting.value, setting.line)
                                              : false;
  if (!known) refuse_name();
}

bool ParameterReader::set_switch(std::string_view name, const Setting& setting) {
  if (name == "control_map") {
    set_.switches.control_map = read_switch_components(setting.value);
    switch_map_stated_ = true;
    return true;
  }
  if (name == "credit_starvation_return_delay") {
    return_delay_ = setting;
    components_ |= switch_component::credit_starvation;
    return true;
  }
  for (const SwitchKey& key : switch_keys) {
    if (key.name != name) continue;
    key.set(set_.switches, setting.value);
    components_ |= key.component;
    return true;
  }
  return false;
}

bool ParameterReader::set_adapter(std::string_view name, const Setting& setting) {
  if (name == "port_control") {
    set_.adapters.port_control = read_scope(setting.value);
    return true;
  }
  if (name == "control_map") {
    set_.adapters.control_map = read_service_levels(setting.value);
    adapter_map_stated_ = true;
    return true;
  }
  return set_service_level(name, setting);
}

bool ParameterReader::set_service_level(std::string_view name, const Setting& setting) {
  const std::size_t sl = take_service_level(name);
  for (const SlKey& key : sl_keys) {
    if (key.name != name) continue;
    AdapterSlParameters proof;
    key.set(proof, setting.value);
    if (sl == every_level) {
      for_all_levels_.emplace(name, setting);
    } else if (!for_level_.emplace(std::pair(std::string(name), sl), setting).second) {
      throw Error(ErrorKind::usage, fmt::format("it is set twice for service level {}", sl));
    }
    return true;
  }
  return false;
}

void ParameterReader::refuse_name() {
  std::vector<std::string> known{"switch.control_map", "switch.credit_starvation_return_delay"};
  for (const SwitchKey& key : switch_keys) known.push_back(fmt::format("switch.{}", key.name));
  known.insert(known.end(), {"adapter.port_control", "adapter.control_map"});
  for (const SlKey& key : sl_keys) known.push_back(fmt::format("adapter.{}", key.name));
  for (const std::string_view key : TableNotation::names) {
    known.push_back(fmt::format("table.{}", key));
  }
  throw Error(ErrorKind::usage,
              fmt::format("unknown parameter; expected {} (for one service level: adapter.sl3.{})",
                          fmt::join(known, ", "), sl_keys.front().name));
}

void ParameterReader::finish_switches() {
  if (return_delay_) {
    try {
      set_.switches.credit_starvation_return_delay =
          read_entry(return_delay_->value, table_.packet_time());
    } catch (const Error& error) {
      fail_at(file_, return_delay_->line, fmt::format("{}: {}", return_delay_->name, error.what()));
    }
  }
  if (!switch_map_stated_) set_.switches.control_map = components_;
}

void ParameterReader::finish_adapters() {
  std::uint32_t levels = for_all_levels_.empty() ? 0 : 0xffff;
  for (const SlKey& key : sl_keys) {
    if (const auto found = for_all_levels_.find(key.name); found != for_all_levels_.end()) {
      for (AdapterSlParameters& level : set_.adapters.sl) key.set(level, found->second.value);
    }
  }
  for (const auto& [where, setting] : for_level_) {
    for (const SlKey& key : sl_keys) {
      if (key.name == where.first) key.set(set_.adapters.sl[where.second], setting.value);
    }
    levels |= 1U << where.second;
  }
  if (!adapter_map_stated_) set_.adapters.control_map = static_cast<std::uint16_t>(levels);
}

void ParameterReader::check_ccti_min() const {
  const std::uint16_t limit = set_.table.ccti_limit();
  for (std::size_t sl = 0; sl < service_levels; ++sl) {
    if (set_.adapters.sl[sl].ccti_min <= limit) continue;
    const auto own = for_level_.find(std::pair(std::string("ccti_min"), sl));
    const Setting& setting =
        own != for_level_.end() ? own->second : for_all_levels_.find("ccti_min")->second;
    fail_at(file_, setting.line,
            fmt::format("{}: {} exceeds CCTI_Limit; expected 0 .. {} (table.ccti_limit)",
                        setting.name, setting.value, limit));
  }
}

}  // namespace

CongestionParameters parse_congestion_parameters(std::string_view text, std::string_view name,
                                                 const std::filesystem::path& folder,
                                                 const FileSource& reader) {
  return ParameterReader(name, folder, reader).read(text);
}

CongestionParameters read_congestion_parameters(const std::filesystem::path& path,
                                                const FileSource& reader) {
  return parse_congestion_parameters(reader(path, largest_file), path.string(), path.parent_path(),
                                     reader);
}

}  // namespace pssp
