#pragma once

// Writes the history on a thread that the caller grants, so that no sweep waits for a disk.
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

/// What the history can say of itself at any time.
struct HistoryState {
  std::uint64_t written = 0;     ///< sweeps since the beginning of the process
  std::uint64_t skipped = 0;     ///< sweeps that were not written: too late, or no room
  std::uint64_t last_sweep = 0;  ///< number in the file
  std::uint64_t bytes = 0;
  std::int64_t last_written_ms = 0;  ///< time of the last sweep that was written
  double last_write_ms = 0;          ///< how long that took
  /// Why nothing is written at the moment; empty: all is well.
  std::string problem;
  /// A damaged file that was set aside; empty: none.
  std::string damaged_copy;
  /// What was said of a file that somebody removed or renamed; empty: no one did.
  std::string replaced;
};

class HistoryThread {
 public:
  /// Opens the file; throws what HistoryWriter throws. When it can no longer be written later, that
  /// is no exception but a `problem`, and it is tried again with each sweep.
  explicit HistoryThread(HistoryOptions options);
  HistoryThread(const HistoryThread&) = delete;
  HistoryThread& operator=(const HistoryThread&) = delete;
  ~HistoryThread();

  /// Takes a sweep; never waits. Where two wait already the older is skipped.
  void offer(SnapshotPointer snapshot);
  /// Takes an event, which is written with the next sweep, or after a second. Of more than 10,000
  /// that wait the newest are dropped.
  void add(MonitorEvent event);
  /// Takes verdicts that began, changed or ended, likewise; of more than 100,000 that wait the
  /// newest are dropped.
  void add_verdicts(std::vector<VerdictRecord> records);
  /// Takes a change of tables that is over, likewise; of more than 1,000 that wait the newest are
  /// dropped.
  void add_reroute(RerouteRecord record);
  /// Takes what a receiver of notifications was told, likewise; of more than 10,000 that wait the
  /// newest are dropped.
  void add_notified(NotifiedRecord record);
  /// Take tables and jobs; of those that wait the newest stay. They are written behind a sweep.
  void offer(LiveTablesPointer tables);
  void offer(JobReportPointer jobs);
  HistoryState state() const;
  /// How much is kept from now on; file and fsync stay.
  void change(const HistoryOptions& limits);

  /// Writes until `stop` asks to end; then what was taken is written and the file closed. To be
  /// called once.
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

  HistoryOptions options_;                 // of run()
  std::unique_ptr<HistoryWriter> writer_;  // of run(); null while nothing can be written
  std::uint64_t gap_sweeps_ = 0;           // of run(): sweeps lost since the last that was written
  std::int64_t gap_since_ms_ = 0;
  std::string gap_reason_;
  LiveTablesPointer written_tables_;  // of run(): a new file has to have them, too

  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<SnapshotPointer> waiting_;
  std::optional<HistoryOptions> limits_;  // to be taken over
  std::vector<MonitorEvent> events_;
  std::vector<VerdictRecord> verdicts_;
  std::vector<RerouteRecord> reroutes_;
  std::vector<NotifiedRecord> notified_;
  LiveTablesPointer tables_;
  JobReportPointer jobs_;
  HistoryState state_;
};

}  // namespace pssp
