#pragma once

// Is anything broken? What counted in a window of time, held against limits: by rate, for totals
// only say that something happened once (docs/monitor_fabric.md, "Verdicts").

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/counters/rates.h"

namespace pssp {

/// From good to worst.
enum class Level : std::uint8_t { good, unknown, watch, bad };
std::string_view name_of(Level level);

/// What counted at a port in some time.
struct PortWindow {
  double seconds = 0;         ///< that were watched
  CounterValues counted{};    ///< in that time
  CounterMask known = 0;      ///< counters of which at least one interval is known
  CounterMask saturated = 0;  ///< as of the last reading
  PortStatus status = PortStatus::not_active;
};

struct Verdict {
  std::uint32_t port = 0;  ///< index into FabricMap::ports
  Level level = Level::good;
  std::string what;             ///< CounterInfo::name, "width", "speed" or "readings"
  std::string reason;           ///< number, limit, window, and what to do
  double value = 0, limit = 0;  ///< 0 where there is no number
};

/// Events in a window; 0: never by itself.
struct EventLimits {
  std::uint64_t watch = 1, bad = 0;
};

struct VerdictLimits {
  double bit_error_rate = 1e-12;  ///< links without error correction
  double corrected_bit_error_rate =
      1e-14;  ///< errors behind the correction, 50 Gbit/s a lane and up
  std::uint64_t least_symbol_errors = 10;
  EventLimits link_error_recoveries{1, 10}, link_downed{1, 3};  ///< in the long window
  // In the short window.
  EventLimits receive_errors{1, 10}, remote_physical_errors{1, 0}, relay_errors{100, 0},
      constraint_errors{100, 0}, discards{1, 100}, vl15_dropped{1, 100};
  double discarded_share = 1e-6;  ///< of packets sent, from `least_discards` on
  std::uint64_t least_discards = 10;
  double waiting_share = 0.3;
};

/// What is not good about a port; worst first. `brief` is the last hour, `lasting` the last day, or
/// what there is of them; both may be the same.
std::vector<Verdict> judge_port(const FabricMap& map, std::uint32_t port, const PortWindow& brief,
                                const PortWindow& lasting, const VerdictLimits& limits = {});

/// Windows of all ports of two sweeps.
std::vector<PortWindow> windows_of(const Snapshot& after,
                                   const std::vector<PortDifference>& differences);

/// Worst first, then by port.
void sort_verdicts(std::vector<Verdict>& verdicts);

/// Totals as ibqueryerrors has them: a counter that stands above its threshold.
struct Threshold {
  Counter counter;
  std::uint64_t most = 0;
};
/// A file of NAME=NUMBER lines with the names of perfquery; # begins a comment. All error counters
/// and PortXmitWait have 0 where the file does not name them. `name` is for messages. Throws
/// Error(unreadable_input) with file and line.
std::vector<Threshold> parse_thresholds(std::string_view text, std::string_view name);
/// A verdict `bad` for each counter above its threshold, by port.
std::vector<Verdict> judge_totals(const Snapshot& snapshot,
                                  const std::vector<Threshold>& thresholds);

}  // namespace pssp
