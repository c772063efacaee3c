#pragma once

// What a source of jobs said when it was asked, with the time; or that it said nothing.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "monitor/jobs/job.h"

namespace pssp {

/// Whether jobs that a scheduler lists no longer are known to its accounting.
enum class Accounting : std::uint8_t {
  not_asked,  ///< nothing was missed yet
  none,       ///< it keeps no accounts
  asked,
  silent,  ///< it does not answer; it is asked again
};

/// "not asked", "none", "asked", "silent".
std::string_view name_of(Accounting accounting);

struct JobReport {
  std::string source;        ///< "slurm", "file"
  std::int64_t time_ms = 0;  ///< when `jobs` were read, since 1970
  /// The last list that could be read; null: none yet.
  std::shared_ptr<const JobList> jobs;
  /// Why the source does not answer now, in a sentence that may be shown; `jobs` are stale then.
  /// Empty: all is well.
  std::string problem;
  Accounting accounting = Accounting::not_asked;
  std::int64_t stale_since_ms = 0;  ///< with `problem`: when it was first asked in vain
};

using JobReportPointer = std::shared_ptr<const JobReport>;

}  // namespace pssp
