#pragma once

// Writes the history of a fabric into one SQLite file: sweeps, samples of all ports, maps and
// events (docs/reference/monitor.md, "History"). One writer a file; any number of readers
// beside it, in any process (history_reader.h). Whoever must not wait for a disk uses
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

/// The disk is full, the file cannot be written or is locked: what was to be written is not there,
/// and nothing else is lost. It can be tried again, with a new writer.
class HistoryFailure : public Error {
 public:
  explicit HistoryFailure(const std::string& message) : Error(ErrorKind::output, message) {}
};

class HistoryWriter {
 public:
  /// Opens the file, or begins it; brings one of an older version up to date, after a copy
  /// FILE.before-vN. A file of ours that is damaged is renamed FILE.damaged-TIME, and a new one is
  /// begun; damaged_copy() says so, and there is an event.
  ///
  /// Throws Error(unreadable_input) where the file belongs to another program or to a newer
  /// version, which is then not touched; Error(output) where another process writes it (its name
  /// and number are said); HistoryFailure.
  explicit HistoryWriter(HistoryOptions options);
  HistoryWriter(const HistoryWriter&) = delete;
  HistoryWriter& operator=(const HistoryWriter&) = delete;
  ~HistoryWriter();

  /// One sweep with the events since the last one, in one transaction: it is there as a whole, or
  /// not at all. Differences are those to the snapshot that was written before; the first one of
  /// a writer has none. Sweeps get numbers of the file, so that they go on counting where an
  /// earlier process ended. O(ports). Throws HistoryFailure; then nothing was written. A file
  /// that turns out to be damaged is treated as by the constructor, and the sweep is written into
  /// the new one.
  void write(const SnapshotPointer& snapshot, std::span<const MonitorEvent> events = {});
  /// Events alone. Throws HistoryFailure.
  void write(std::span<const MonitorEvent> events);

  /// Verdicts that began, changed or ended. Throws HistoryFailure.
  void write_verdicts(std::span<const VerdictRecord> records);
  /// Changes of forwarding tables that are over. Throws HistoryFailure.
  void write_reroutes(std::span<const RerouteRecord> records);
  /// What receivers of notifications were told. Throws HistoryFailure.
  void write_notified(std::span<const NotifiedRecord> records);
  /// The forwarding tables, where they are others than those before; and jobs. Both refer to nodes
  /// of the map of the newest sweep: false where no sweep was written yet, and nothing is. Throws
  /// HistoryFailure.
  bool write(const LiveTables& tables);
  bool write(const JobReport& report);

  /// Downsampling and deleting, in transactions of about 50 ms, until nothing is left to do or
  /// `budget` is used up; true when there is more to do. Throws HistoryFailure.
  bool maintain(std::chrono::milliseconds budget);

  /// How much is kept, from the next maintain() on; file and fsync stay.
  void set_limits(const HistoryOptions& limits);

  /// False when somebody has removed or renamed the file: what is written from now on no one will
  /// find. To be asked often, for what is done when it ends depends on it.
  bool is_in_place() const;

  std::uint64_t bytes() const;              ///< of the file, without what was deleted in it
  std::uint64_t last_sweep() const;         ///< number in the file; 0: none yet
  const std::string& damaged_copy() const;  ///< name of the damaged file; empty: none

 private:
  class OpenHistory;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pssp
