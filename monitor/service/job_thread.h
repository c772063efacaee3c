#pragma once

// The part of the daemon that asks the scheduler, with a thread of its own: schedulers take seconds
// to answer, or hang.

#include <functional>
#include <mutex>
#include <thread>

#include "monitor/configuration/job_settings.h"
#include "monitor/counters/event.h"
#include "monitor/jobs/job_watch.h"

namespace pssp {

class JobThread {
 public:
  struct Sinks {
    std::function<void(JobReportPointer)> report;    ///< each answer, and each that did not come
    std::function<void(const MonitorEvent&)> event;  ///< that jobs are stale, or no longer
  };

  /// Asks at once, and every `poll_s` seconds from then on. `listed_ms` as JobWatch has it. Both
  /// sinks are called on the thread. Throws Error(usage) where the source is a file without a name.
  JobThread(const JobSettings& settings, std::int64_t listed_ms, Sinks sinks);
  JobThread(const JobThread&) = delete;
  JobThread& operator=(const JobThread&) = delete;

 private:
  void run(const std::stop_token& stop);
  void hand_over(const JobReportPointer& report);

  JobWatch watch_;
  std::chrono::seconds poll_;
  Sinks sinks_;
  bool was_stale_ = false;
  std::jthread thread_;  // last, so that it ends first
};

}  // namespace pssp
