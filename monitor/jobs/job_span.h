#pragma once

// When a job computed, as far as anybody knows.

#include <cstdint>
#include <limits>
#include <optional>

#include "monitor/jobs/job.h"

namespace pssp {

/// since <= time < until, in milliseconds since 1970.
struct JobSpan {
  std::int64_t since_ms = 0;
  std::int64_t until_ms = std::numeric_limits<std::int64_t>::max();  ///< it runs, or no one knows
};

/// `gone_ms`: when a job that the scheduler lists no longer was listed last. Nothing where it has
/// not begun. The end that a scheduler states of a running job is its limit, and no end.
std::optional<JobSpan> span_of(const Job& job, std::optional<std::int64_t> gone_ms = {});

}  // namespace pssp
