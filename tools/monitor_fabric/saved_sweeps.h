#pragma once

// Saved counters instead of two sweeps of a fabric.

#include <optional>
#include <string>
#include <vector>

#include "fabric/nodes/node_name_map.h"
#include "tools/monitor_fabric/live_options.h"

namespace pssp {

struct SavedSweeps {
  TwoSweeps sweeps;
  bool has_differences = false;  ///< else only totals are known, and `differences` is empty
};

/// Of one file: what counted between the two readings that ibdiagnet made, if the file has that and
/// the time is stated there or is `interval_s`; else totals, with a remark. Of two files, the older
/// one first: what counted in `interval_s`, which must be given then. `wants_totals`: totals of the
/// one file. Throws Error(usage), and what read_saved_counters() throws.
SavedSweeps read_saved_sweeps(const std::vector<std::string>& files,
                              std::optional<double> interval_s, bool wants_totals,
                              const NodeNameMap& labels);

}  // namespace pssp
