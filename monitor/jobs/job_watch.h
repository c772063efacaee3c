#pragma once

// Asks a source of jobs again and again, and keeps what it said last when it says nothing.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "base/stop_signal.h"
#include "monitor/jobs/job_report.h"
#include "monitor/jobs/slurm.h"

namespace pssp {

/// For one thread at a time.
class JobWatch {
 public:
  /// Jobs of Slurm. `listed_ms`: when somebody before listed them last, as the database knows it;
  /// 0: never. What ended since then, and while Slurm did not answer, is asked of its accounting:
  /// the report after such a time has it, too.
  explicit JobWatch(SlurmOptions options, std::int64_t listed_ms = 0)
      : slurm_(std::move(options)), listed_ms_(listed_ms) {}
  /// Jobs of a file, which is read when it has changed.
  explicit JobWatch(std::filesystem::path file) : file_(std::move(file)) {}

  /// Asks once. Never null; what goes wrong is its `problem`. `now_ms` is the wall clock. Throws
  /// Stopped alone.
  JobReportPointer ask(std::int64_t now_ms, const StopSignal& stop = {});

 private:
  std::shared_ptr<const JobList> read(std::int64_t now_ms, const StopSignal& stop);
  void add_ended(std::int64_t now_ms, JobList& jobs, const StopSignal& stop);

  SlurmOptions slurm_;
  std::filesystem::path file_;  // empty: Slurm
  std::int64_t listed_ms_ = 0;  // when Slurm answered last
  std::int64_t missed_ms_ = 0;  // since then jobs may have ended unseen; 0: none
  std::int64_t tried_ms_ = 0;   // when its accounting was asked last
  Accounting accounting_ = Accounting::not_asked;
  JobReportPointer last_;
  std::string seen_;  // size, time and number of the file as it was read
};

}  // namespace pssp
