#include "simulator/traffic/traffic_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/file_io.h"
#include "base/text_lines.h"
#include "simulator/traffic/traffic_statements.h"
#include "simulator/values.h"

namespace pssp {

TrafficTimes TrafficTimes::or_else(const TrafficTimes& other) const {
  return {duration ? duration : other.duration, warmup ? warmup : other.warmup,
          sample ? sample : other.sample};
}

bool all_ends(const Traffic& traffic) {
  const bool is_silent = traffic.flows.empty() && traffic.rounds.empty() && traffic.trace.empty();
  return traffic.uniform.empty() && !is_silent &&
         std::ranges::all_of(traffic.flows, [](const StaticFlow& flow) { return flow.bytes != 0; });
}

void set_times(Traffic& traffic, const TrafficTimes& times) {
  constexpr SimulatedTime most_samples = 10'000'000;
  constexpr SimulatedTime warmup_parts = 5;
  constexpr SimulatedTime samples = 100;
  traffic.duration = times.duration.value_or(10 * picoseconds_per_millisecond);
  traffic.warmup = times.warmup.value_or(all_ends(traffic) ? 0 : traffic.duration / warmup_parts);
  traffic.sample = times.sample.value_or(std::max<SimulatedTime>(1, traffic.duration / samples));
  if (traffic.warmup >= traffic.duration) {
    throw Error(
        ErrorKind::usage,
        fmt::format(
            "a warm-up of {} in a run of {}: nothing is measured; expected a shorter warm-up",
            time_text(traffic.warmup), time_text(traffic.duration)));
  }
  if (traffic.duration / traffic.sample > most_samples) {
    throw Error(ErrorKind::usage,
                fmt::format("samples of {} in {}: more than {}; expected longer "
                            "samples",
                            time_text(traffic.sample), time_text(traffic.duration), most_samples));
  }
}

TrafficFile parse_traffic(std::string_view text, const std::string& name, const Fabric& fabric,
                          std::uint64_t seed, const FileSource& reader, const TrafficTimes& instead,
                          std::optional<LinkRate> host_rate) {
  TextLines lines(text, name);
  TrafficStatements statements(fabric, seed, name, reader, host_rate);
  while (lines.next()) {
    try {
      for (TrafficTokens& tokens : split_statements(lines.line())) {
        statements.take(tokens, lines.number());
      }
    } catch (const Error& error) {
      lines.fail(error.what());
    }
  }
  try {
    return statements.finish(instead);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage || instead.states_any()) throw;
    throw Error(ErrorKind::unreadable_input, fmt::format("{}: {}", name, error.what()));
  }
}

}  // namespace pssp
