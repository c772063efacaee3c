#pragma once

// Decides what is broken: compares the counts of a window of time with limits. It uses rates,
// because totals only show that something happened once (docs/reference/monitor.md, "Verdicts").

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

/// The counts of a port over some time.
struct PortWindow {
  double seconds = 0;         ///< observed time
  CounterValues counted{};    ///< in the observed time
  CounterMask known = 0;      ///< counters with at least one known interval
  CounterMask saturated = 0;  ///< as of the last reading
  PortStatus status = PortStatus::not_active;
};

struct Verdict {
  std::uint32_t port = 0;  ///< index into FabricMap::ports
  Level level = Level::good;
  std::string what;             ///< see VerdictRecord::what
  std::string reason;           ///< number, limit, window, and what to do
  double value = 0, limit = 0;  ///< 0 if there is no number
};

/// The problems of a port, worst first. `brief` is the short window and `lasting` the long one, or
/// as much of them as exists; both may be the same.
std::vector<Verdict> evaluate_port(const FabricMap& map, std::uint32_t port,
                                   const PortWindow& brief, const PortWindow& lasting,
                                   const VerdictSettings& limits = {});

/// Windows of all ports between two sweeps.
std::vector<PortWindow> windows_of(const Snapshot& after,
                                   const std::vector<PortDifference>& differences);

/// By urgency(), then by port.
void sort_verdicts(std::vector<Verdict>& verdicts);

/// Threshold of a total, as in ibqueryerrors: a higher counter is a problem.
struct Threshold {
  Counter counter;
  std::uint64_t most = 0;
};
/// Reads NAME=NUMBER lines with the names of perfquery; # starts a comment line. All error counters
/// and PortXmitWait have the threshold 0 unless the file names them. `name` appears in messages.
/// Throws Error(unreadable_input) with file and line.
std::vector<Threshold> parse_thresholds(std::string_view text, std::string_view name);
/// A verdict `bad` for each counter above its threshold, and `unknown` for each port that should
/// have been read and was not; in the order of sort_verdicts().
std::vector<Verdict> evaluate_totals(const Snapshot& snapshot,
                                     const std::vector<Threshold>& thresholds);

}  // namespace pssp
