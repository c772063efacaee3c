#pragma once

// Reads results of opensm from its log. opensm also returns 0 if it used another engine than
// requested; only its log shows the engine. Times are differences of log times, which have
// microseconds but no year.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pssp {

/// The engine of the last configured tables; empty if there is none.
std::string used_engine(std::string_view log);
bool subnet_is_up(std::string_view log);
/// The engine of the last sweep that ended with the subnet up; empty if there is none.
std::string engine_of_last_sweep(std::string_view log);
/// Milliseconds of the last routing phase, in tenths, from `building routing with` to `tables
/// configured on all switches`. Requires level 0x04.
double routing_milliseconds(std::string_view log);
/// The last eight errors before the first tables were configured, without repetitions.
std::vector<std::string> logged_errors(std::string_view log);
/// Lines in the form for a message: each on a separate line, after four blanks.
std::string indented(const std::vector<std::string>& lines);
/// The log lines of the plugin, one per line.
std::vector<std::string> plugin_lines(std::string_view log);
/// The reason why opensm did not load the plugin. Any routes are then not from the plugin.
std::optional<std::string> plugin_refusal(std::string_view log);
/// Number of virtual lanes that the engine needs: dfsssp and lash log it, nue uses all permitted
/// lanes; nothing for other engines. Some of the text is on the standard output of opensm.
std::optional<unsigned> lanes_needed(std::string_view log, std::string_view output,
                                     std::string_view engine);

// ---- phases of sweeps ----

/// In the order of a sweep. `binding` is the time from the first line of opensm to the first sweep,
/// and 0 in other sweeps. `routes` end when the tables are sent to the switches; `tables` end when
/// all switches have confirmed them (including QoS); `links` end when all links are armed and
/// active.
enum class SweepPhase : std::uint8_t {
  binding,
  heavy_sweep,
  partitions,
  sm_lid,
  subnet_lids,
  routes,
  tables,
  multicast,
  ports,
  links
};
constexpr std::size_t sweep_phases = 10;

struct Sweep {
  std::string engine;  ///< that computed the configured tables
  std::array<std::int64_t, sweep_phases> microseconds{};
};

/// All sweeps of the log that ended with the subnet up, in order. If opensm restarts during a
/// sweep, the time counts from the first start. Requires level 0x04 of osm_state_mgr.c and 0x02 of
/// osm_ucast_mgr.c.
std::vector<Sweep> completed_sweeps(std::string_view log);

/// The sweeps of a growing log. A sweep can restart before it ends.
struct SweepCounts {
  unsigned begun = 0, ended = 0;  ///< ended with the subnet up, or with errors
  bool busy = false;

  /// Adds further complete lines.
  void read(std::string_view lines);
};

}  // namespace pssp
