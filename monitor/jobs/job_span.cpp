#include "monitor/jobs/job_span.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace pssp {
namespace {

// Final states in Slurm's notation; a file of jobs uses the same words or none.
constexpr std::array<std::string_view, 10> over{
    "COMPLETED", "CANCELLED", "FAILED",   "TIMEOUT", "NODE_FAIL",
    "PREEMPTED", "BOOT_FAIL", "DEADLINE", "REVOKED", "OUT_OF_MEMORY"};

bool is_one_of(std::span<const std::string_view> words, std::string_view state) {
  return std::find(words.begin(), words.end(), state) != words.end();
}

}  // namespace

std::optional<JobSpan> span_of(const Job& job, std::optional<std::int64_t> gone_ms) {
  if (!job.start_s || job.state == "PENDING") return std::nullopt;
  JobSpan span;
  span.since_ms = *job.start_s * 1000;
  const bool end_is_stated = job.end_s && (job.state.empty() || is_one_of(over, job.state));
  if (end_is_stated) {
    span.until_ms = *job.end_s * 1000;
  } else if (gone_ms) {
    span.until_ms = *gone_ms;
  }
  if (span.until_ms < span.since_ms) return std::nullopt;
  return span;
}

}  // namespace pssp
