#pragma once

// The jobs, their hosts and patterns: read from a file, or random.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/fabric.h"
#include "ibsim_harness/simulated_traffic.h"

namespace pssp {

/// A job's data in the scheduler.
struct JobLabel {
  std::string id, name, user;
};

struct JobPlan {
  std::vector<JobLabel> labels;  ///< of plan.jobs
  TrafficPlan plan;
};

/// JSON Lines, one job per line: {"id", "name", "user", "pattern", "activity", "rate",
/// "storage_share"} and "nodes" (a list of names, in the notation of fabric/nodes/host_list.h) or
/// "hosts" (a number, placed at random on hosts without another job). `spare` is in no job. Throws
/// Error(unreadable_input) with the line; Error(mismatch) for nodes that are missing, taken or too
/// few; Error(usage) for patterns.
JobPlan read_job_plan(std::string_view text, const std::string& file, const Fabric& fabric,
                      std::uint32_t spare, std::uint64_t seed);

/// scatter_jobs() without `spare`, and with labels.
JobPlan scattered_job_plan(const Fabric& fabric, const ScatterOptions& options,
                           std::uint32_t spare);

/// The job file for the monitor: the jobs and their nodes since `start_s`.
std::string job_file_text(const JobPlan& jobs, const Fabric& fabric, std::int64_t start_s);

/// "phases" ..
std::string_view name_of(Activity activity);

}  // namespace pssp
