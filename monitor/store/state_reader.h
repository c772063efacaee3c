#pragma once

// Reads forwarding tables and jobs of a history as they were at a given time. A reader must be used
// by one thread at a time. Databases of versions 1 and 2 have neither.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fabric/ids.h"
#include "monitor/jobs/job.h"
#include "monitor/store/history_reader.h"

namespace pssp {

/// Tables that were first read at `time_ms` and last read unchanged at `seen_ms`.
struct TableVersion {
  std::int64_t version = 0;  ///< 1, 2, ..
  std::int64_t time_ms = 0, seen_ms = 0;
  std::uint32_t switches = 0, unread_switches = 0;
  std::uint32_t changed_blocks = 0;  ///< compared with the previous version
};

/// A switch and its LFT entries, starting with LID 0.
struct StoredSwitchTable {
  Guid guid = 0;
  std::vector<PortNumber> entries;
};

/// A node name from the scheduler and an adapter that it matches. A name may match several
/// adapters.
struct JobAdapter {
  std::string name;  ///< untrusted text
  Guid guid = 0;     ///< 0: no adapter matches
};

struct StoredJob {
  std::int64_t key = 0;  ///< key of the row in the file
  std::string source;    ///< "slurm", "file"
  Job job;               ///< untrusted texts
  std::vector<JobAdapter> adapters;
  std::int64_t seen_ms = 0;  ///< when the job was first listed
  /// when the job was last listed; nothing: it is still listed
  std::optional<std::int64_t> gone_ms;
};

struct JobQuery {
  TimeWindow window;  ///< jobs that ran in the window, or that wait and are still listed
  std::optional<std::string> id = std::nullopt;
  bool only_begun = true;  ///< omit jobs that never ran
  bool with_nodes = true;
  std::size_t limit = 100'000;  ///< the newest ones are returned
};

/// The source of the job list and its state.
struct JobSourceState {
  std::string source;
  std::int64_t seen_ms = 0;         ///< time of the last list
  std::int64_t stale_since_ms = 0;  ///< since when the source does not answer; 0: it answers
  std::string problem;
};

class StateReader {
 public:
  /// Throws as HistoryReader does.
  explicit StateReader(const std::filesystem::path& file);
  StateReader(const StateReader&) = delete;
  StateReader& operator=(const StateReader&) = delete;
  ~StateReader();

  // All calls throw Error(unreadable_input) if the file is damaged or cannot be read.

  /// Versions that were in force in the window or at its beginning, oldest first.
  std::vector<TableVersion> table_versions(const TimeWindow& window) const;
  /// Sorted by GUID. O(blocks that changed up to that version).
  std::vector<StoredSwitchTable> tables(std::int64_t version) const;

  /// In the order of their rows, oldest first.
  std::vector<StoredJob> jobs(const JobQuery& query) const;
  /// The source that reported last; nothing if there never was a source.
  std::optional<JobSourceState> job_source() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pssp
