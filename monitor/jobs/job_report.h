#pragma once

// The result of a query to a source of jobs, with its time, or the reason of its failure.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "monitor/jobs/job.h"

namespace pssp {

/// Whether the scheduler's accounting knows jobs that the scheduler no longer lists.
enum class Accounting : std::uint8_t {
  not_asked,  ///< no query was needed yet
  none,       ///< the scheduler keeps no accounts
  asked,
  silent,  ///< accounting does not answer; the query will be repeated
};

/// "not asked", "none", "asked", "silent".
std::string_view name_of(Accounting accounting);

struct JobReport {
  std::string source;        ///< "slurm", "file"
  std::int64_t time_ms = 0;  ///< when `jobs` were read, in ms since 1970
  /// The last list that could be read; null if there is none yet.
  std::shared_ptr<const JobList> jobs;
  /// Why the source does not answer at present, as a printable sentence; `jobs` are then outdated.
  /// Empty if there is no problem.
  std::string problem;
  Accounting accounting = Accounting::not_asked;
  /// only with a `problem`: time of the first failed query, in ms since 1970
  std::int64_t stale_since_ms = 0;
};

using JobReportPointer = std::shared_ptr<const JobReport>;

}  // namespace pssp
