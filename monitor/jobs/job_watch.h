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
  /// Jobs of Slurm.
  explicit JobWatch(SlurmOptions options) : slurm_(std::move(options)) {}
  /// Jobs of a file, which is read when it has changed.
  explicit JobWatch(std::filesystem::path file) : file_(std::move(file)) {}

  /// Asks once. Never null; what goes wrong is its `problem`. `now_ms` is the wall clock. Throws
  /// Stopped alone.
  JobReportPointer ask(std::int64_t now_ms, const StopSignal& stop = {});

 private:
  std::shared_ptr<const JobList> read(const StopSignal& stop);

  SlurmOptions slurm_;
  std::filesystem::path file_;  // empty: Slurm
  JobReportPointer last_;
  std::string seen_;  // size, time and number of the file as it was read
};

}  // namespace pssp
