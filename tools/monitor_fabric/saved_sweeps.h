#pragma once

// Reads saved counters instead of sweeping a fabric twice.

#include <optional>
#include <string>
#include <vector>

#include "fabric/nodes/node_name_map.h"
#include "tools/monitor_fabric/live_options.h"

namespace pssp {

struct ComparedSweeps {
  TwoSweeps sweeps;
  bool has_differences = false;  ///< otherwise only totals, and `differences` is empty
};

/// From one file: the differences between ibdiagnet's two readings, if the file contains them and
/// the time between them is in the file or `interval_s`; else totals, with a remark. From two
/// files, the older one first: the differences in `interval_s`, which must be given.
/// `wants_totals`: totals of the one file. Throws Error(usage), and the errors of
/// read_saved_counters().
ComparedSweeps read_saved_sweeps(const std::vector<std::string>& files,
                                 std::optional<double> interval_s, bool wants_totals,
                                 const NodeNameMap& labels);

}  // namespace pssp
