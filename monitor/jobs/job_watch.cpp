#include "monitor/jobs/job_watch.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <string>
#include <unordered_set>

#include "base/error.h"
#include "monitor/jobs/job_file.h"

namespace pssp {
namespace {

/// A pause between two queries that is too short to miss the end of a job: Slurm keeps listing jobs
/// for some minutes after their end (MinJobAge, 300 s by default).
constexpr std::int64_t surely_listed_ms = 60'000;
constexpr std::int64_t try_again_ms = 60'000;

/// Changes when the file was replaced or written. Empty if there is no file.
std::string state_of(const std::filesystem::path& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) return {};
  return fmt::format("{} {} {}.{:09} {}", status.st_dev, status.st_ino, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec, status.st_size);
}

}  // namespace

std::string_view name_of(Accounting accounting) {
  switch (accounting) {
    case Accounting::none:
      return "none";
    case Accounting::asked:
      return "asked";
    case Accounting::silent:
      return "silent";
    case Accounting::not_asked:
      break;
  }
  return "not asked";
}

void JobWatch::add_ended(std::int64_t now_ms, JobList& jobs, const StopSignal& stop) {
  if (listed_ms_ != 0 && missed_ms_ == 0 && now_ms - listed_ms_ > surely_listed_ms) {
    missed_ms_ = listed_ms_;
  }
  listed_ms_ = now_ms;
  const bool is_too_soon = tried_ms_ != 0 && now_ms - tried_ms_ < try_again_ms;
  if (missed_ms_ == 0 || accounting_ == Accounting::none || is_too_soon) return;
  tried_ms_ = now_ms;
  try {
    const auto ended = read_slurm_accounts((now_ms - missed_ms_) / 1000 + 1, slurm_, stop);
    accounting_ = ended ? Accounting::asked : Accounting::none;
    missed_ms_ = 0;
    if (!ended) return;
    std::unordered_set<std::string> listed;
    for (const Job& job : jobs.jobs) listed.insert(job.id);
    for (const Job& job : ended->jobs) {
      if (jobs.jobs.size() == JobList::most_jobs) break;
      if (!listed.contains(job.id)) jobs.jobs.push_back(job);
    }
    for (const std::string& problem : ended->problems) jobs.refuse(problem);
  } catch (const Error&) {
    accounting_ = Accounting::silent;
  }
}

std::shared_ptr<const JobList> JobWatch::read(std::int64_t now_ms, const StopSignal& stop) {
  if (file_.empty()) {
    JobList jobs = read_slurm_queue(slurm_, stop);
    add_ended(now_ms, jobs, stop);
    return std::make_shared<const JobList>(std::move(jobs));
  }
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
    report->jobs = read(now_ms, stop);
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
  report->accounting = accounting_;
  last_ = report;
  return report;
}

}  // namespace pssp
