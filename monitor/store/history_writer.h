#pragma once

// Writes the history of a fabric into one SQLite file: sweeps, samples of all ports, maps and
// events (docs/reference/monitor.md, "History"). A file has one writer and any number of concurrent
// readers, in any process (history_reader.h). Callers that must not wait for a disk use
// history_thread.h.

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "monitor/counters/event.h"
#include "monitor/counters/reroute_record.h"
#include "monitor/counters/snapshot.h"
#include "monitor/counters/verdict_record.h"
#include "monitor/discovery/live_tables.h"
#include "monitor/jobs/job_report.h"
#include "monitor/store/history_options.h"
#include "monitor/store/notified_rows.h"

namespace pssp {

/// The disk is full, or the file is locked or not writable. The data of that call was not written;
/// nothing else is lost. The call can be repeated with a new writer.
class HistoryFailure : public Error {
 public:
  explicit HistoryFailure(const std::string& message) : Error(ErrorKind::output, message) {}
};

class HistoryWriter {
 public:
  /// Opens or creates the file. A file of an older version is copied to FILE.before-vN and then
  /// migrated. A damaged file of ours is renamed to FILE.damaged-TIME and replaced by a new one;
  /// damaged_copy() and an event report it.
  ///
  /// Throws Error(unreadable_input) if the file belongs to another program or to a newer version;
  /// the file is then not touched. Throws Error(output) if another process is writing the file; the
  /// message names that process. Also throws HistoryFailure.
  explicit HistoryWriter(HistoryOptions options);
  HistoryWriter(const HistoryWriter&) = delete;
  HistoryWriter& operator=(const HistoryWriter&) = delete;
  ~HistoryWriter();

  /// Writes one sweep and the events since the last one in a single transaction: completely or not
  /// at all. Differences refer to the snapshot that was written before; the first snapshot of a
  /// writer has none. Sweeps are numbered by the file, so the numbers continue those of earlier
  /// processes. O(ports). Throws HistoryFailure if nothing was written. If the file turns out to be
  /// damaged, it is handled as by the constructor and the sweep is written into the new file.
  void write(const SnapshotPointer& snapshot, std::span<const MonitorEvent> events = {});
  /// Writes events without a sweep. Throws HistoryFailure.
  void write(std::span<const MonitorEvent> events);

  /// Writes verdicts that began, changed or ended. Throws HistoryFailure.
  void write_verdicts(std::span<const VerdictRecord> records);
  /// Writes completed changes of forwarding tables. Throws HistoryFailure.
  void write_reroutes(std::span<const RerouteRecord> records);
  /// Writes which incidents were reported to receivers of notifications. Throws HistoryFailure.
  void write_notified(std::span<const NotifiedRecord> records);
  /// Write the forwarding tables if they changed, and jobs. Both refer to nodes in the map of the
  /// newest sweep: if there is no sweep yet, nothing is written and the result is false. Throw
  /// HistoryFailure.
  bool write(const LiveTables& tables);
  bool write(const JobReport& report);

  /// Downsamples and deletes old rows in transactions of about 50 ms until nothing is left to do or
  /// `budget` is used up. Returns true if there is more to do. Throws HistoryFailure.
  bool maintain(std::chrono::milliseconds budget);

  /// Changes the limits and the retention from the next maintain() on. The file and the fsync
  /// option stay.
  void set_limits(const HistoryOptions& limits);

  /// False if the file was removed or renamed, so that nobody would find what is written from now
  /// on. Call it often: the destructor uses the last result to decide what to do with the log.
  bool is_in_place() const;

  std::uint64_t bytes() const;              ///< size of the file without its free pages
  std::uint64_t last_sweep() const;         ///< number in the file; 0: no sweep yet
  const std::string& damaged_copy() const;  ///< name of the damaged file; empty if there is none

 private:
  class OpenHistory;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pssp
