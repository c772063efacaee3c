#pragma once

// Saved counters instead of two sweeps of a fabric.

#include <optional>
#include <string>
#include <vector>

#include "fabric/nodes/node_name_map.h"
#include "tools/monitor_fabric/live_options.h"

namespace pssp {

struct ComparedSweeps {
  TwoSweeps sweeps;
  bool has_differences = false;  ///< else only totals are known, and `differences` is empty
};

/// From one file: the differences between the two readings that ibdiagnet made, if the file has
/// them and states the time between them, or `interval_s` does; else totals, with a remark. From
/// two files, the older one first: the differences in `interval_s`, which must be given.
/// `wants_totals`: totals of the one file. Throws Error(usage), and what read_saved_counters()
/// throws.
ComparedSweeps read_saved_sweeps(const std::vector<std::string>& files,
                                 std::optional<double> interval_s, bool wants_totals,
                                 const NodeNameMap& labels);

}  // namespace pssp
