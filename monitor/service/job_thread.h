#pragma once

// Reads the list of jobs from the scheduler on a separate thread, because schedulers take seconds
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
    std::function<void(JobReportPointer)> report;    ///< called with each report, also if the
                                                     ///< source did not answer
    std::function<void(const MonitorEvent&)> event;  ///< called when the jobs become stale, and
                                                     ///< when they are up to date again
  };

  /// Asks at once, and then every `poll_s` seconds. `listed_ms`: see JobWatch. Both sinks are
  /// called on the thread. Throws Error(usage) if the source is a file without a name.
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
  std::jthread thread_;  // last member, so that it is destroyed first
};

}  // namespace pssp
