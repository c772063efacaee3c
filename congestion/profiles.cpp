// The thesis is M. M. Zeru, Exploring InfiniBand Congestion Control in Mesh Topologies, University
// of Oslo 2016. It gives CCTI_Timer in microseconds (captions of tables 4.4 to 4.8, appendix B line
// 303), so its 250 is 250us here, or 244 units of 1.024 us. It does not print its congestion
// control table, but configures one for the 50 hosts of the mesh (appendix B line 309), with
// packets of 2048 bytes on 4x links of 2.5 Gbit/s per lane; so the table here is linear up to 50
// flows.

#include "congestion/profiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <system_error>

#include "base/error.h"
#include "congestion/parameter_file.h"

namespace pssp {
namespace {

constexpr std::string_view off = R"(
switch.control_map = all
switch.victim_mask = none
switch.credit_mask = none
switch.threshold = 0
switch.packet_size = 0
switch.credit_starvation_threshold = 0
switch.credit_starvation_return_delay = 0:0
switch.marking_rate = 0

adapter.control_map = all
adapter.port_control = qp
adapter.ccti_timer = 0
adapter.ccti_increase = 0
adapter.trigger_threshold = 0
adapter.ccti_min = 0

table.ccti_limit = 0
)";

/// The thesis's tables 3.6 and 5.1 differ only in CCTI_Timer.
std::string thesis_notation(std::string_view ccti_timer) {
  return fmt::format(R"(
switch.victim_mask = host
switch.threshold = 2
switch.packet_size = 1
switch.marking_rate = 1

adapter.port_control = qp
adapter.ccti_timer = {}
adapter.ccti_increase = 1
adapter.ccti_min = 0

table.ccti_limit = 128
table.law = linear
table.flows = 50
table.mtu = 2048
table.link_rate = 4xSDR
)",
                     ccti_timer);
}

}  // namespace

std::span<const CongestionProfile> congestion_profiles() {
  static const std::array<CongestionProfile, 3> profiles{{
      {"thesis-mesh", "best parameters found for a 2D mesh (thesis, table 5.1)",
       thesis_notation("250us")},
      {"thesis-start", "parameters the thesis started from (table 3.6)", thesis_notation("20us")},
      {"off", "no packet is marked, no flow is slowed down: undoes any other set",
       std::string(off)},
  }};
  return profiles;
}

bool is_congestion_profile(std::string_view name) {
  return std::ranges::any_of(congestion_profiles(), [name](const CongestionProfile& profile) {
    return profile.name == name;
  });
}

CongestionParameters load_congestion_parameters(std::string_view profile_or_path,
                                                const FileSource& reader) {
  std::string names;
  for (const CongestionProfile& profile : congestion_profiles()) {
    if (profile.name == profile_or_path) {
      return parse_congestion_parameters(profile.notation, profile.name);
    }
    names += fmt::format("{}{}", names.empty() ? "" : ", ", profile.name);
  }
  const std::filesystem::path path(profile_or_path);
  std::error_code ignored;
  if (path != "-" && !std::filesystem::exists(path, ignored)) {
    throw Error(ErrorKind::unreadable_input,
                fmt::format("'{}' is neither a profile nor a file; profiles are {}",
                            profile_or_path, names));
  }
  return read_congestion_parameters(path, reader);
}

}  // namespace pssp
