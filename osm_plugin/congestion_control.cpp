#include "osm_plugin/congestion_control.h"

#include <complib/cl_byteswap.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "congestion/profiles.h"

namespace pssp {
namespace {

static_assert(opensm_most_table_entries == OSM_CCT_ENTRY_MAX);
static_assert(service_levels == IB_CA_CONG_ENTRY_DATA_SIZE);

bool is_profile(std::string_view name) {
  return std::ranges::any_of(congestion_profiles(), [name](const CongestionProfile& profile) {
    return profile.name == name;
  });
}

CongestionParameters load(std::string_view profile_or_path) {
  // opensm as a daemon has another working directory than the shell that it was tried in.
  if (!is_profile(profile_or_path) && !profile_or_path.starts_with('/')) {
    std::string names;
    for (const CongestionProfile& profile : congestion_profiles()) {
      names += fmt::format("{}, ", profile.name);
    }
    throw Error(ErrorKind::usage,
                fmt::format("option 'congestion_control={}': expected a profile ({}) or the "
                            "absolute path of a parameter file",
                            profile_or_path, names.substr(0, names.size() - 2)));
  }
  return load_congestion_parameters(profile_or_path);
}

/// Assigns, and notes when that changed something.
class Writer {
 public:
  template <class Value>
  void set(Value& to, Value value) {
    changed_ = changed_ || to != value;
    to = value;
  }
  void set(osm_cct_entry_t& to, CctEntry value) {
    set(to.shift, value.shift);
    set(to.multiplier, value.multiplier);
  }
  void set_mask(std::uint8_t (&to)[32], const std::array<std::uint8_t, 32>& value) {
    changed_ = changed_ || std::memcmp(to, value.data(), value.size()) != 0;
    std::memcpy(to, value.data(), value.size());
  }
  bool changed() const noexcept { return changed_; }

 private:
  bool changed_ = false;
};

}  // namespace

CongestionControl::CongestionControl(std::string_view profile_or_path)
    : source_(profile_or_path), options_(opensm_options(load(profile_or_path))) {}

bool CongestionControl::write_to(osm_subn_opt_t& options) const {
  Writer writer;
  writer.set(options.congestion_control, boolean_t{TRUE});
  writer.set(options.cc_sw_cong_setting_control_map,
             cl_hton32(options_.sw_cong_setting_control_map));
  writer.set_mask(options.cc_sw_cong_setting_victim_mask, options_.sw_cong_setting_victim_mask);
  writer.set_mask(options.cc_sw_cong_setting_credit_mask, options_.sw_cong_setting_credit_mask);
  writer.set(options.cc_sw_cong_setting_threshold, options_.sw_cong_setting_threshold);
  writer.set(options.cc_sw_cong_setting_packet_size, options_.sw_cong_setting_packet_size);
  writer.set(options.cc_sw_cong_setting_credit_starvation_threshold,
             options_.sw_cong_setting_credit_starvation_threshold);
  writer.set(options.cc_sw_cong_setting_credit_starvation_return_delay,
             options_.sw_cong_setting_credit_starvation_return_delay);
  writer.set(options.cc_sw_cong_setting_marking_rate,
             cl_hton16(options_.sw_cong_setting_marking_rate));
  writer.set(options.cc_ca_cong_setting_port_control,
             cl_hton16(options_.ca_cong_setting_port_control));
  writer.set(options.cc_ca_cong_setting_control_map,
             cl_hton16(options_.ca_cong_setting_control_map));
  for (std::size_t sl = 0; sl < service_levels; ++sl) {
    const AdapterSlParameters& from = options_.ca_cong_entries[sl];
    osm_cacongestion_entry_t& entry = options.cc_ca_cong_entries[sl];
    writer.set(entry.ccti_timer, cl_hton16(from.ccti_timer));
    writer.set(entry.ccti_increase, from.ccti_increase);
    writer.set(entry.trigger_threshold, from.trigger_threshold);
    writer.set(entry.ccti_min, from.ccti_min);
  }
  // The text beside the entries stays as it is: OpenSM compares it with the file's and frees it.
  for (std::size_t i = 0; i < opensm_most_table_entries; ++i) {
    writer.set(options.cc_cct.entries[i], i < options_.cct.size() ? options_.cct[i] : CctEntry{});
  }
  writer.set(options.cc_cct.entries_len, static_cast<unsigned>(options_.cct.size()));
  return writer.changed();
}

std::vector<std::string> CongestionControl::summary() const {
  const AdapterSlParameters& sl = options_.ca_cong_entries[0];
  std::vector<std::string> lines;
  lines.push_back(fmt::format(
      "{}: switches: control map 0x{:x}, Threshold {}, Packet_Size {}, Marking_Rate {}; adapters: "
      "control map 0x{:04x}, on SL 0 CCTI_Timer {}, CCTI_Increase {}, CCTI_Min {}; CCTI_Limit {}",
      source_, options_.sw_cong_setting_control_map, options_.sw_cong_setting_threshold,
      options_.sw_cong_setting_packet_size, options_.sw_cong_setting_marking_rate,
      options_.ca_cong_setting_control_map, sl.ccti_timer, sl.ccti_increase, sl.ccti_min,
      options_.cct.size() - 1));
  lines.insert(lines.end(), options_.left_out.begin(), options_.left_out.end());
  return lines;
}

}  // namespace pssp
