#include "monitor/jobs/job_watch.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/error.h"
#include "monitor/jobs/job_file.h"

namespace pssp {
namespace {

/// Another text when the file is another one, or was written since. Empty: there is none.
std::string state_of(const std::filesystem::path& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) return {};
  return fmt::format("{} {} {}.{:09} {}", status.st_dev, status.st_ino, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec, status.st_size);
}

}  // namespace

std::shared_ptr<const JobList> JobWatch::read(const StopSignal& stop) {
  if (file_.empty()) return std::make_shared<const JobList>(read_slurm_queue(slurm_, stop));
  const std::string state = state_of(file_);
  if (last_ && last_->jobs && !state.empty() && state == seen_) return last_->jobs;
  auto jobs = std::make_shared<const JobList>(read_jobs(file_));
  seen_ = state;
  return jobs;
}

JobReportPointer JobWatch::ask(std::int64_t now_ms, const StopSignal& stop) {
  auto report = std::make_shared<JobReport>();
  report->source = file_.empty() ? "slurm" : "file";
  try {
    report->jobs = read(stop);
    report->time_ms = now_ms;
  } catch (const Stopped&) {
    throw;
  } catch (const Error& error) {
    report->problem = error.what();
    report->stale_since_ms = last_ && !last_->problem.empty() ? last_->stale_since_ms : now_ms;
    if (last_) {
      report->jobs = last_->jobs;
      report->time_ms = last_->time_ms;
    }
  }
  last_ = report;
  return report;
}

}  // namespace pssp
