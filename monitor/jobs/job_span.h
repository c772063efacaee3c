#pragma once

// The time in which a job ran, as far as it is known.

#include <cstdint>
#include <limits>
#include <optional>

#include "monitor/jobs/job.h"

namespace pssp {

/// since <= time < until, in milliseconds since 1970.
struct JobSpan {
  std::int64_t since_ms = 0;
  /// largest value: the job is running, or its end is unknown
  std::int64_t until_ms = std::numeric_limits<std::int64_t>::max();
};

/// `gone_ms` is the time at which the scheduler last listed a job that it no longer lists. Returns
/// nothing if the job has not started. The end time of a running job is its time limit and is
/// ignored.
std::optional<JobSpan> span_of(const Job& job, std::optional<std::int64_t> gone_ms = {});

}  // namespace pssp
