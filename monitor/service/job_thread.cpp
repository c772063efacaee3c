#include "monitor/service/job_thread.h"

#include <fmt/format.h>

#include <condition_variable>
#include <utility>

#include "base/error.h"
#include "base/untrusted_text.h"
#include "base/wall_clock.h"

namespace pssp {
namespace {

JobWatch watch_of(const JobSettings& settings, std::int64_t listed_ms) {
  if (settings.source == JobSource::slurm) return JobWatch(SlurmOptions{}, listed_ms);
  if (settings.file.empty()) {
    throw Error(ErrorKind::usage,
                "[jobs] source = file requires the name of the file: file = FILE");
  }
  return JobWatch(std::filesystem::path(settings.file));
}

}  // namespace

JobThread::JobThread(const JobSettings& settings, std::int64_t listed_ms, Sinks sinks)
    : watch_(watch_of(settings, listed_ms)),
      poll_(settings.poll_s),
      sinks_(std::move(sinks)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

void JobThread::run(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any wake;
  const StopSignal signal([&stop] { return stop.stop_requested(); });
  while (!stop.stop_requested()) {
    try {
      hand_over(watch_.ask(wall_clock_ms(), signal));
    } catch (const Stopped&) {
      return;
    }
    std::unique_lock lock(mutex);
    wake.wait_for(lock, stop, poll_, [] { return false; });
  }
}

void JobThread::hand_over(const JobReportPointer& report) {
  const bool is_stale = !report->problem.empty();
  if (is_stale != std::exchange(was_stale_, is_stale)) {
    MonitorEvent event;
    event.time_ms = wall_clock_ms();
    event.kind = is_stale ? EventKind::jobs_stale : EventKind::jobs_fresh;
    event.text =
        is_stale
            ? fmt::format("the source of jobs ({}) cannot be read; the last list stays in use: {}",
                          report->source, untrusted_text(report->problem))
            : fmt::format("the source of jobs ({}) can be read again", report->source);
    sinks_.event(event);
  }
  sinks_.report(report);
}

}  // namespace pssp
