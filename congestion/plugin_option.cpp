#include "congestion/plugin_option.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/closest_name.h"
#include "base/confidential_reader.h"
#include "base/error.h"
#include "base/printable.h"
#include "congestion/profiles.h"

namespace pssp {
namespace {

CongestionParameters load(std::string_view profile_or_path) {
  // The daemon opensm has another working directory than the user's shell.
  if (!is_congestion_profile(profile_or_path) && !profile_or_path.starts_with('/')) {
    std::vector<std::string_view> names;
    for (const CongestionProfile& profile : congestion_profiles()) names.push_back(profile.name);
    throw Error(ErrorKind::usage, fmt::format("option congestion_control={}: neither a profile "
                                              "({}) nor the absolute path of a parameter file{}",
                                              excerpt(profile_or_path), fmt::join(names, ", "),
                                              did_you_mean(profile_or_path, names)));
  }
  ConfidentialReader reader;
  const auto read = [&](const std::filesystem::path& path, std::size_t limit) {
    return reader.read(path, limit);
  };
  try {
    return load_congestion_parameters(profile_or_path, read);
  } catch (const Error& error) {
    throw reader.redacted(error);
  }
}

}  // namespace

CongestionOption read_congestion_option(std::string_view profile_or_path) {
  return {std::string(profile_or_path), opensm_options(load(profile_or_path))};
}

std::vector<std::string> CongestionOption::summary() const {
  const AdapterSlParameters& sl = options.ca_cong_entries[0];
  std::vector<std::string> lines;
  lines.push_back(fmt::format(
      "{}: switches: control map 0x{:x}, Threshold {}, Packet_Size {}, Marking_Rate {}; adapters: "
      "control map 0x{:04x}, on SL 0 CCTI_Timer {}, CCTI_Increase {}, CCTI_Min {}; CCTI_Limit {}",
      source, options.sw_cong_setting_control_map, options.sw_cong_setting_threshold,
      options.sw_cong_setting_packet_size, options.sw_cong_setting_marking_rate,
      options.ca_cong_setting_control_map, sl.ccti_timer, sl.ccti_increase, sl.ccti_min,
      options.cct.size() - 1));
  lines.insert(lines.end(), options.left_out.begin(), options.left_out.end());
  return lines;
}

std::string congestion_refusal(std::string_view reason) {
  return fmt::format("congestion control stays as opensm.conf sets it: {}; traffic is not affected",
                     reason);
}

}  // namespace pssp
