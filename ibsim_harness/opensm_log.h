#pragma once

// What opensm says of its work, read from its log. opensm returns 0 also when it used another
// engine than it was told; its log is the only witness. Times are differences of its stamps, which
// have microseconds and no year.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pssp {

/// The engine whose tables were configured last; empty: none was.
std::string used_engine(std::string_view log);
bool subnet_is_up(std::string_view log);
/// The engine of the last sweep that ended with the subnet up; empty: none has.
std::string engine_of_last_sweep(std::string_view log);
/// Milliseconds of the last routing phase, in tenths, from `building routing with` to `tables
/// configured on all switches`. Needs level 0x04.
double routing_milliseconds(std::string_view log);
/// What was logged as an error until the first tables were ready, each once, the last eight.
std::vector<std::string> logged_errors(std::string_view log);
/// Lines as they stand below a message: each on a line of its own, behind four blanks.
std::string indented(const std::vector<std::string>& lines);
/// What our plugin says of its work, a line each.
std::vector<std::string> plugin_lines(std::string_view log);
/// opensm did not load the plugin: its reason. Whatever is routed then is not ours.
std::optional<std::string> plugin_refusal(std::string_view log);
/// Virtual lanes that the engine needs: dfsssp and lash count them, nue fills those that it is
/// given; nothing for other engines. Some of it is on opensm's standard output.
std::optional<unsigned> lanes_needed(std::string_view log, std::string_view output,
                                     std::string_view engine);

// ---- phases of sweeps ----

/// In the order of a sweep. `binding`: from opensm's first word to the first sweep, 0 in others;
/// `routes` end when tables are on their way to the switches, `tables` when all have confirmed
/// them (QoS included); `links`: armed and active.
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
  std::string engine;  ///< whose tables were configured
  std::array<std::int64_t, sweep_phases> microseconds{};
};

/// Every sweep of the log that ended with the subnet up, in order. When opensm finds in the middle
/// of a sweep that it must begin again, its time counts from the first beginning. Needs level 0x04
/// of osm_state_mgr.c and 0x02 of osm_ucast_mgr.c.
std::vector<Sweep> completed_sweeps(std::string_view log);

/// What a growing log says of sweeps. One may begin again before it ends.
struct SweepCounts {
  unsigned begun = 0, ended = 0;  ///< ended with the subnet up, or with errors
  bool busy = false;

  /// Takes further lines, whole ones.
  void read(std::string_view lines);
};

}  // namespace pssp
