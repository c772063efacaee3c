// The sweeping thread and the writing thread share short queues and a state under one mutex, which
// is never held during a write. A writer that failed is discarded, and the next sweep creates a new
// one, so that no state of the failed writer survives. Sweeps that could not be written are
// counted; an event reports them after the next successful write.

#include "monitor/store/history_thread.h"

#include <fmt/format.h>

#include <utility>

#include "base/printable.h"
#include "base/wall_clock.h"

namespace pssp {
namespace {

constexpr std::size_t most_snapshots = 2, most_events = 10'000, most_verdicts = 100'000;
constexpr std::chrono::milliseconds step{50};
constexpr std::chrono::seconds events_wait{1};

}  // namespace

HistoryThread::HistoryThread(HistoryOptions options)
    : options_(std::move(options)), writer_(std::make_unique<HistoryWriter>(options_)) {
  state_.last_sweep = writer_->last_sweep();
  state_.bytes = writer_->bytes();
  state_.damaged_copy = writer_->damaged_copy();
}

HistoryThread::~HistoryThread() = default;

void HistoryThread::offer(SnapshotPointer snapshot) {
  {
    const std::scoped_lock lock(mutex_);
    if (waiting_.size() == most_snapshots) {
      waiting_.pop_front();
      ++state_.skipped;
    }
    waiting_.push_back(std::move(snapshot));
  }
  wake_.notify_one();
}

void HistoryThread::add(MonitorEvent event) {
  const std::scoped_lock lock(mutex_);
  if (events_.size() < most_events) events_.push_back(std::move(event));
}

void HistoryThread::add_verdicts(std::vector<VerdictRecord> records) {
  const std::scoped_lock lock(mutex_);
  for (VerdictRecord& each : records) {
    if (verdicts_.size() < most_verdicts) verdicts_.push_back(std::move(each));
  }
}

void HistoryThread::add_reroute(RerouteRecord record) {
  constexpr std::size_t most_reroutes = 1000;
  const std::scoped_lock lock(mutex_);
  if (reroutes_.size() < most_reroutes) reroutes_.push_back(std::move(record));
}

void HistoryThread::add_notified(NotifiedRecord record) {
  const std::scoped_lock lock(mutex_);
  if (notified_.size() < most_events) notified_.push_back(std::move(record));
}

void HistoryThread::offer(LiveTablesPointer tables) {
  const std::scoped_lock lock(mutex_);
  tables_ = std::move(tables);
}

void HistoryThread::offer(JobReportPointer jobs) {
  const std::scoped_lock lock(mutex_);
  jobs_ = std::move(jobs);
}

HistoryState HistoryThread::state() const {
  const std::scoped_lock lock(mutex_);
  return state_;
}

void HistoryThread::change(const HistoryOptions& limits) {
  const std::scoped_lock lock(mutex_);
  limits_ = limits;
}

/// The caller holds the mutex.
void HistoryThread::take_limits() {
  if (!limits_) return;
  limits_->file = options_.file;
  limits_->full_sync = options_.full_sync;
  options_ = *std::exchange(limits_, std::nullopt);
  if (writer_) writer_->set_limits(options_);
}

void HistoryThread::fail(const std::string& problem, std::vector<MonitorEvent> events,
                         const SnapshotPointer& snapshot) {
  writer_.reset();
  if (snapshot) {
    if (gap_sweeps_ == 0) gap_since_ms_ = snapshot->time_ms;
    ++gap_sweeps_;
  }
  gap_reason_ = problem;
  const std::scoped_lock lock(mutex_);
  state_.problem = problem;
  if (snapshot) ++state_.skipped;
  // Events that arrived meanwhile are queued after those that could not be written.
  for (MonitorEvent& event : events_) {
    if (events.size() < most_events) events.push_back(std::move(event));
  }
  events_ = std::move(events);
}

MonitorEvent HistoryThread::end_of_gap(std::int64_t time_ms) const {
  MonitorEvent event;
  event.kind = EventKind::history_gap;
  event.time_ms = time_ms;
  event.text = fmt::format("{} sweeps since {} (ms since 1970) were not written: {}", gap_sweeps_,
                           gap_since_ms_, gap_reason_);
  return event;
}

/// Closes the writer if its file was removed or renamed, and adds an event. The next write creates
/// or opens a new file.
void HistoryThread::leave_replaced(std::vector<MonitorEvent>& events) {
  if (!writer_ || writer_->is_in_place()) return;
  writer_.reset();
  MonitorEvent event;
  event.kind = EventKind::history_replaced;
  event.time_ms = wall_clock_ms();
  event.text = fmt::format(
      "another program removed or renamed {} while it was in use: the monitor no longer uses the "
      "old file, and continues with the file that now has this name, or with a new one",
      excerpt(options_.file.string()));
  const std::scoped_lock lock(mutex_);
  state_.replaced = event.text;
  if (!tables_) tables_ = written_tables_;
  events.push_back(std::move(event));
}

void HistoryThread::write(const SnapshotPointer& snapshot, std::vector<MonitorEvent> events) {
  const auto begin = std::chrono::steady_clock::now();
  leave_replaced(events);
  try {
    if (!writer_) writer_ = std::make_unique<HistoryWriter>(options_);
    std::vector<MonitorEvent> all = events;
    if (gap_sweeps_ != 0) {
      all.push_back(end_of_gap(snapshot ? snapshot->time_ms : wall_clock_ms()));
    }
    snapshot ? writer_->write(snapshot, all) : writer_->write(all);
  } catch (const Error& error) {
    return fail(error.what(), std::move(events), snapshot);
  }
  gap_sweeps_ = 0;
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  const std::scoped_lock lock(mutex_);
  state_.problem.clear();
  state_.damaged_copy = writer_->damaged_copy();
  if (!snapshot) return;
  ++state_.written;
  state_.last_sweep = writer_->last_sweep();
  state_.last_written_ms = snapshot->time_ms;
  state_.last_write_ms = took.count();
}

/// Records that could not be written are put back into the queue for the next attempt.
template <class Record>
void HistoryThread::write_records(std::vector<Record>& waiting,
                                  void (HistoryWriter::*method)(std::span<const Record>)) {
  std::vector<Record> records;
  {
    const std::scoped_lock lock(mutex_);
    if (!writer_) return;
    records = std::exchange(waiting, {});
  }
  try {
    (*writer_.*method)(records);
  } catch (const Error& error) {
    fail(error.what(), {}, nullptr);
    const std::scoped_lock lock(mutex_);
    records.insert(records.end(), waiting.begin(), waiting.end());
    waiting = std::move(records);
  }
}

/// Writes tables and jobs. Those that cannot be written now are tried again after the next sweep.
void HistoryThread::write_state() {
  LiveTablesPointer tables;
  JobReportPointer jobs;
  {
    const std::scoped_lock lock(mutex_);
    tables = tables_;
    jobs = jobs_;
  }
  try {
    const bool has_tables = writer_ && tables && writer_->write(*tables);
    const bool has_jobs = writer_ && jobs && writer_->write(*jobs);
    const std::scoped_lock lock(mutex_);
    if (has_tables) written_tables_ = tables;
    if (has_tables && tables_ == tables) tables_.reset();
    if (has_jobs && jobs_ == jobs) jobs_.reset();
  } catch (const Error& error) {
    fail(error.what(), {}, nullptr);
  }
}

/// Maintenance runs in small steps, so that a sweep waits for at most one of them.
void HistoryThread::maintain(const std::stop_token& stop) {
  const auto is_wanted = [&] {
    const std::scoped_lock lock(mutex_);
    return waiting_.empty() && !stop.stop_requested();
  };
  try {
    while (writer_ && is_wanted() && writer_->maintain(step)) {
    }
    if (!writer_) return;
    const std::uint64_t bytes = writer_->bytes();
    const std::scoped_lock lock(mutex_);
    state_.bytes = bytes;
  } catch (const Error& error) {
    fail(error.what(), {}, nullptr);
  }
}

void HistoryThread::run(const std::stop_token& stop) {
  for (;;) {
    SnapshotPointer snapshot;
    std::vector<MonitorEvent> events;
    {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, stop, events_wait, [&] { return !waiting_.empty(); });
      if (!waiting_.empty()) {
        snapshot = std::move(waiting_.front());
        waiting_.pop_front();
      }
      events = std::exchange(events_, {});
      take_limits();
    }
    if (snapshot || !events.empty()) write(snapshot, std::move(events));
    write_records(verdicts_, &HistoryWriter::write_verdicts);
    write_records(reroutes_, &HistoryWriter::write_reroutes);
    write_records(notified_, &HistoryWriter::write_notified);
    write_state();
    if (snapshot) maintain(stop);
    const std::scoped_lock lock(mutex_);
    if (stop.stop_requested() && waiting_.empty()) break;
  }
  writer_.reset();
}

}  // namespace pssp
