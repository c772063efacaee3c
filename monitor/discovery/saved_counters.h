#pragma once

// Counters that ibdiagnet saved (sections PM_INFO and PM_DELTA of ibdiagnet2.db_csv), as the sweep
// that the monitor would have made.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/counters/rates.h"

namespace pssp {

struct SavedCounters {
  std::shared_ptr<FabricMap> map;
  /// Of section PM_INFO, without a time: `read_ns` is 0. An active port without a row is `silent`.
  Snapshot totals;
  /// Differences between two readings of ibdiagnet (section PM_DELTA), by port of the map, with
  /// `ns` 0. Empty where there is no such section.
  std::vector<PortDifference> between;
  /// Seconds between these readings, as the command in the file's first lines has them
  /// (--pm_pause_time).
  std::optional<double> pause_s;
  std::vector<std::string> remarks;  ///< what was left out, one line each
};

/// The topology and the counters of the file. Throws Error(unreadable_input) with file:line on what
/// is no database of ibdiagnet, and where it has no counters. O(size log size).
SavedCounters read_saved_counters(const std::string& file);
/// The same of text in memory; `name` stands for the file in messages.
SavedCounters parse_saved_counters(std::string_view text, std::string_view name);

}  // namespace pssp
