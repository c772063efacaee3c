#pragma once

// Counters that ibdiagnet saved (sections PM_INFO and PM_DELTA of ibdiagnet2.db_csv), in the form
// of a sweep.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/counters/rates.h"

namespace pssp {

struct SavedCounters {
  std::shared_ptr<FabricMap> map;
  /// From section PM_INFO, without a time: `read_ns` is 0. An active port without a row is
  /// `silent`.
  Snapshot totals;
  /// Differences between two readings of ibdiagnet (section PM_DELTA), by port of the map, with
  /// `ns` 0. Empty if there is no such section.
  std::vector<PortDifference> between;
  /// Seconds between these readings, from the command in the first lines of the file
  /// (--pm_pause_time).
  std::optional<double> pause_s;
  std::vector<std::string> remarks;  ///< omitted parts, one line each
};

/// The topology and the counters of the file. Throws Error(unreadable_input) with file:line if the
/// file is not a database of ibdiagnet, or has no counters. O(size log size).
SavedCounters read_saved_counters(const std::string& file);
/// The same for text in memory; messages contain `name` as the name of the file.
SavedCounters parse_saved_counters(std::string_view text, std::string_view name);

}  // namespace pssp
