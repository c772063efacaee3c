#pragma once

// Files of traffic (docs/reference/simulate_fabric.md has the notation): who sends what to whom,
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

/// `model NAME VALUE`: a value of the model that the traffic was made for.
struct ModelStatement {
  std::string name, value;
};

/// `expect ...`: what --check compares with.
struct Expectation {
  std::string label;  ///< of the flow whose share of its sender's link is meant; empty: throughput
  double value = 0;   ///< bytes/s of all hosts together, or a share
  double within = 0;  ///< largest relative deviation
  std::size_t line = 0;
};

/// Times that were stated; what was not has a default that depends on the others.
struct TrafficTimes {
  std::optional<SimulatedTime> duration, warmup, sample;

  /// What is stated here, else there.
  TrafficTimes or_else(const TrafficTimes& other) const;
  bool states_any() const { return duration || warmup || sample; }
};

/// Whether something is sent, and all of it ends: flows with bytes, rounds, traces.
bool all_ends(const Traffic& traffic);

/// Of durations of 10 ms, with 20 % of warm-up (none where all that is sent ends: there is no
/// steady state to wait for, and what is over by then would be lost) and 100 samples. Throws
/// Error(usage) where the warm-up is not shorter than the duration, or there are more than 10^7
/// samples.
void set_times(Traffic& traffic, const TrafficTimes& times);

struct TrafficFile {
  Traffic traffic;     ///< its times are set, by set_times()
  TrafficTimes times;  ///< that the file states
  std::vector<ModelStatement> model;
  std::optional<TableOrigin> table;  ///< `model cct`: instead of the table of a profile
  std::vector<Expectation> expectations;
};

/// `name` stands for the file in messages; `seed` is for what is drawn; `reader` reads the traces
/// that the file names, relative to `name`; `instead` are times, and `host_rate` the rate
/// of the links of hosts, that win over those of the file.
/// What starts after the longer of both durations is refused: a run may be made shorter than its
/// file. Throws Error(unreadable_input) with name:line, what was found and what is allowed;
/// Error(usage) where only together with `instead` the times do not fit. O(size + flows).
TrafficFile parse_traffic(std::string_view text, const std::string& name, const Fabric& fabric,
                          std::uint64_t seed, const FileSource& reader = from_anywhere,
                          const TrafficTimes& instead = {}, std::optional<LinkRate> host_rate = {});

}  // namespace pssp
