#pragma once

// Computes advice from a database: chooses the window and collects the results.

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
  TrafficMatrix traffic;  ///< estimated traffic of the window
  Advice advice;
  std::optional<ChannelFlows> channel;
  CableAdvice cables;                     ///< cables that would relieve that channel
  std::vector<std::uint32_t> free_ports;  ///< by SwitchId, at the time of the window
};

/// The ten minutes in which hosts sent most, of the hour before `until_ms`; they contain the whole
/// history if it is shorter. Throws like read_traffic_window().
TimeWindow busiest_minutes(const std::filesystem::path& database, std::int64_t until_ms,
                           const StopSignal& stop = {});

/// Reads the window and compares tables. `link` is a port of the map, whose channel is examined,
/// too. Throws like read_traffic_window() and advise(), and Error(usage) if no channel between
/// switches leaves the port.
AdviceRun run_advice(const std::filesystem::path& database, const TimeWindow& window,
                     const AdviceOptions& options, std::optional<PortKey> link = std::nullopt);

std::string advice_text(const AdviceRun& run);
std::string advice_json(const AdviceRun& run);

}  // namespace pssp
