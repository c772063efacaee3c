#pragma once

// Advice out of a database: which time is looked at, and what came of it.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "monitor/analysis/channel_flows.h"
#include "monitor/analysis/extra_cable.h"
#include "monitor/window/traffic_window.h"

namespace pssp {

struct AdviceRun {
  TrafficWindowPointer window;
  TrafficMatrix traffic;  ///< that the window is taken to have had
  Advice advice;
  std::optional<ChannelQuestion> channel;
  CableAdvice cables;                     ///< that would help that channel
  std::vector<std::uint32_t> free_ports;  ///< by SwitchId, of the time that was looked at
};

/// The ten minutes of the hour before `until_ms` in which hosts sent most; all of it where the
/// history is shorter. Throws as read_traffic_window().
TimeWindow busiest_minutes(const std::filesystem::path& database, std::int64_t until_ms,
                           const StopSignal& stop = {});

/// Reads the window and compares. `link`: a port of the map by its key, whose channel is asked
/// about. Throws as read_traffic_window() and advise(), Error(usage) where the port has no channel
/// between switches.
AdviceRun run_advice(const std::filesystem::path& database, const TimeWindow& window,
                     const AdviceOptions& options, std::optional<PortKey> link = std::nullopt);

std::string advice_text(const AdviceRun& run);
std::string advice_json(const AdviceRun& run);

}  // namespace pssp
