#pragma once

// Writes the history on a thread of the caller, so that no sweep waits for a disk.
//
//   HistoryThread history(options);
//   std::jthread thread([&](std::stop_token stop) { history.run(stop); });
//   history.offer(snapshot);

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "monitor/store/history_writer.h"

namespace pssp {

/// Status of the history, available at any time.
struct HistoryState {
  std::uint64_t written = 0;  ///< number of sweeps since the process started
  /// number of sweeps that were not written: the queue was full, or the disk failed
  std::uint64_t skipped = 0;
  std::uint64_t last_sweep = 0;  ///< number of the sweep in the file
  std::uint64_t bytes = 0;
  std::int64_t last_written_ms = 0;  ///< time of the last sweep that was written, in ms since 1970
  double last_write_ms = 0;          ///< how long that write took
  /// Reason why nothing can be written at present; empty if there is no problem.
  std::string problem;
  /// Name of a damaged file that was set aside; empty if there is none.
  std::string damaged_copy;
  /// Text of the event for a file that was removed or renamed; empty if that did not happen.
  std::string replaced;
};

class HistoryThread {
 public:
  /// Opens the file and throws what HistoryWriter throws. Later write failures are not thrown: they
  /// are reported as `problem`, and writing is tried again with each sweep.
  explicit HistoryThread(HistoryOptions options);
  HistoryThread(const HistoryThread&) = delete;
  HistoryThread& operator=(const HistoryThread&) = delete;
  ~HistoryThread();

  /// Queues a sweep; never blocks. If two sweeps are already waiting, the older one is skipped.
  void offer(SnapshotPointer snapshot);
  /// Queues an event. It is written with the next sweep, or after one second. At most 10,000 events
  /// wait; newer ones are dropped.
  void add(MonitorEvent event);
  /// Queues verdicts that began, changed or ended. At most 100,000 wait; newer ones are dropped.
  void add_verdicts(std::vector<VerdictRecord> records);
  /// Queues a completed change of the forwarding tables. At most 1,000 wait; newer ones are
  /// dropped.
  void add_reroute(RerouteRecord record);
  /// Queues the record of a notification. At most 10,000 wait; newer ones are dropped.
  void add_notified(NotifiedRecord record);
  /// Queue tables and jobs; only the newest of each are kept. They are written after a sweep.
  void offer(LiveTablesPointer tables);
  void offer(JobReportPointer jobs);
  HistoryState state() const;
  /// Changes the limits and the retention from now on. The file and the fsync option stay.
  void change(const HistoryOptions& limits);

  /// Writes until `stop` is requested; then writes what is queued and closes the file. Call it only
  /// once.
  void run(const std::stop_token& stop);

 private:
  void write(const SnapshotPointer& snapshot, std::vector<MonitorEvent> events);
  void leave_replaced(std::vector<MonitorEvent>& events);
  void fail(const std::string& problem, std::vector<MonitorEvent> events,
            const SnapshotPointer& snapshot);
  void write_state();
  MonitorEvent end_of_gap(std::int64_t time_ms) const;
  template <class Record>
  void write_records(std::vector<Record>& waiting,
                     void (HistoryWriter::*method)(std::span<const Record>));
  void maintain(const std::stop_token& stop);
  void take_limits();

  HistoryOptions options_;                 // used by run() only
  std::unique_ptr<HistoryWriter> writer_;  // used by run() only; null while nothing can be written
  // used by run() only: sweeps lost since the last successful write
  std::uint64_t gap_sweeps_ = 0;
  std::int64_t gap_since_ms_ = 0;
  std::string gap_reason_;
  LiveTablesPointer written_tables_;  // used by run() only: needed again for a new file

  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<SnapshotPointer> waiting_;
  std::optional<HistoryOptions> limits_;  // limits that run() has not yet adopted
  std::vector<MonitorEvent> events_;
  std::vector<VerdictRecord> verdicts_;
  std::vector<RerouteRecord> reroutes_;
  std::vector<NotifiedRecord> notified_;
  LiveTablesPointer tables_;
  JobReportPointer jobs_;
  HistoryState state_;
};

}  // namespace pssp
