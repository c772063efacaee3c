#pragma once

// Queries a source of jobs repeatedly, and keeps the last list when the source does not answer.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "base/stop_signal.h"
#include "monitor/jobs/job_report.h"
#include "monitor/jobs/slurm.h"

namespace pssp {

/// Must be used by one thread at a time.
class JobWatch {
 public:
  /// Watches the jobs of Slurm. `listed_ms` is the time of the last list of an earlier process
  /// according to the database; 0: there is none. Jobs that ended since then, or while Slurm did
  /// not answer, are requested from its accounting and included in the next report.
  explicit JobWatch(SlurmOptions options, std::int64_t listed_ms = 0)
      : slurm_(std::move(options)), listed_ms_(listed_ms) {}
  /// Watches a file of jobs, which is read again whenever it has changed.
  explicit JobWatch(std::filesystem::path file) : file_(std::move(file)) {}

  /// Makes one query. The result is never null; failures are reported in its `problem`. `now_ms` is
  /// the wall clock in ms since 1970. Throws only Stopped.
  JobReportPointer ask(std::int64_t now_ms, const StopSignal& stop = {});

 private:
  std::shared_ptr<const JobList> read(std::int64_t now_ms, const StopSignal& stop);
  void add_ended(std::int64_t now_ms, JobList& jobs, const StopSignal& stop);

  SlurmOptions slurm_;
  std::filesystem::path file_;  // empty: Slurm is the source
  std::int64_t listed_ms_ = 0;  // time of the last answer of Slurm
  std::int64_t missed_ms_ = 0;  // start of the time in which jobs may have ended unseen; 0: none
  std::int64_t tried_ms_ = 0;   // time of the last query to the accounting
  Accounting accounting_ = Accounting::not_asked;
  JobReportPointer last_;
  std::string seen_;  // device, inode, time and size of the file when it was read
};

}  // namespace pssp
