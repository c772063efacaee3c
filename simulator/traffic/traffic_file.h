#pragma once

// Files of traffic (docs/reference/simulate.md has the notation): who sends what to whom,
// and when.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/guarded_files.h"
#include "congestion/parameters.h"
#include "fabric/fabric.h"
#include "fabric/link_rate.h"
#include "simulator/traffic/traffic.h"

namespace pssp {

/// Limits of a traffic file.
inline constexpr std::size_t largest_traffic_file = std::size_t{256} << 20;
inline constexpr std::size_t most_static_flows = 1'000'000;
inline constexpr std::size_t most_uniform_statements = 1000;
inline constexpr std::size_t most_traced_messages = 8'000'000;

/// `model NAME VALUE`: a model parameter for which the traffic was designed.
struct ModelStatement {
  std::string name, value;
};

/// `expect ...`: a value that --check compares.
struct Expectation {
  std::string label;  ///< flow whose share of its sender's link is compared; empty: throughput
  double value = 0;   ///< bytes/s of all hosts, or a share
  double within = 0;  ///< largest relative deviation
  std::size_t line = 0;
};

/// Specified times; the default of each missing time depends on the others.
struct TrafficTimes {
  std::optional<SimulatedTime> duration, warmup, sample;

  /// These times, or those of `other` if missing.
  TrafficTimes or_else(const TrafficTimes& other) const;
  bool states_any() const { return duration || warmup || sample; }
};

/// Whether there is traffic, and all of it ends: flows with bytes, rounds, traces.
bool all_ends(const Traffic& traffic);

/// Default: a duration of 10 ms, a warm-up of 20 % (none if all traffic ends, because there is no
/// steady state, and early messages would be lost) and 100 samples. Throws Error(usage) if the
/// warm-up is not shorter than the duration, or if there are more than 10^7 samples.
void set_times(Traffic& traffic, const TrafficTimes& times);

struct TrafficFile {
  Traffic traffic;     ///< with times from set_times()
  TrafficTimes times;  ///< times in the file
  std::vector<ModelStatement> model;
  std::optional<TableOrigin> table;  ///< `model cct`: replaces the table of a profile
  std::vector<Expectation> expectations;
};

/// `name` stands for the file in messages; `seed` is for random choices; `reader` reads traces with
/// paths relative to `name`; the times `instead` and the rate `host_rate` of host links take
/// precedence over the file. Starts after the longer of both durations are rejected: a run may be
/// shorter than its file allows. Throws Error(unreadable_input) with name:line, the error and the
/// allowed values; Error(usage) if the times are invalid only together with `instead`. O(size +
/// flows).
TrafficFile parse_traffic(std::string_view text, const std::string& name, const Fabric& fabric,
                          std::uint64_t seed, const FileSource& reader = from_anywhere,
                          const TrafficTimes& instead = {}, std::optional<LinkRate> host_rate = {});

}  // namespace pssp
