#pragma once

// Is anything broken? What counted in a window of time, held against limits: by rate, for totals
// only say that something happened once (docs/reference/monitor.md, "Verdicts").

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/configuration/verdict_settings.h"
#include "monitor/counters/rates.h"
#include "monitor/counters/verdict_record.h"

namespace pssp {

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
  std::string what;             ///< as VerdictRecord has it
  std::string reason;           ///< number, limit, window, and what to do
  double value = 0, limit = 0;  ///< 0 where there is no number
};

/// What is not good about a port; worst first. `brief` is the short window, `lasting` the long one,
/// or what there is of them; both may be the same. Of what `sudden` has, the last minute, only
/// link_downed is looked at.
std::vector<Verdict> evaluate_port(const FabricMap& map, std::uint32_t port,
                                   const PortWindow& brief, const PortWindow& lasting,
                                   const VerdictSettings& limits = {});

/// Windows of all ports of two sweeps.
std::vector<PortWindow> windows_of(const Snapshot& after,
                                   const std::vector<PortDifference>& differences);

/// By urgency(), then by port.
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
/// A verdict `bad` for each counter above its threshold, by port, then `unknown` for each port that
/// should have been read and was not.
std::vector<Verdict> evaluate_totals(const Snapshot& snapshot,
                                     const std::vector<Threshold>& thresholds);

}  // namespace pssp
