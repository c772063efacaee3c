#pragma once

// Reads what a history knows beside counters: forwarding tables and jobs, as they were at a time. A
// reader belongs to one thread at a time. Databases of versions 1 and 2 have neither.

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

/// Tables that were read at `time_ms` for the first time, and the same ones at `seen_ms` for the
/// last time.
struct TableVersion {
  std::int64_t version = 0;  ///< 1, 2, ..
  std::int64_t time_ms = 0, seen_ms = 0;
  std::uint32_t switches = 0, unread_switches = 0;
  std::uint32_t changed_blocks = 0;  ///< against the version before
};

/// A switch, and its entries from LID 0 on.
struct StoredSwitchTable {
  Guid guid = 0;
  std::vector<PortNumber> entries;
};

/// A name of the scheduler, and an adapter that it means. A name may mean several.
struct JobAdapter {
  std::string name;  ///< hostile
  Guid guid = 0;     ///< 0: it matched nothing
};

struct StoredJob {
  std::int64_t key = 0;  ///< in the file
  std::string source;    ///< "slurm", "file"
  Job job;               ///< texts are hostile
  std::vector<JobAdapter> adapters;
  std::int64_t seen_ms = 0;             ///< when it was listed first
  std::optional<std::int64_t> gone_ms;  ///< when it was listed last; none: it still is
};

struct JobQuery {
  TimeWindow window;  ///< jobs that ran in it, or waited and are still listed
  std::optional<std::string> id = std::nullopt;
  bool only_begun = true;  ///< without those that never ran
  bool with_nodes = true;
  std::size_t limit = 100'000;  ///< the newest of them
};

/// Who says which jobs there are.
struct JobSourceState {
  std::string source;
  std::int64_t seen_ms = 0;         ///< of the last list
  std::int64_t stale_since_ms = 0;  ///< since when it does not answer; 0: it does
  std::string problem;
};

class StateReader {
 public:
  /// As HistoryReader.
  explicit StateReader(const std::filesystem::path& file);
  StateReader(const StateReader&) = delete;
  StateReader& operator=(const StateReader&) = delete;
  ~StateReader();

  // All calls throw Error(unreadable_input) where the file is damaged or cannot be read.

  /// From the oldest to the newest, those that were in force in the window or at its beginning.
  std::vector<TableVersion> table_versions(const TimeWindow& window) const;
  /// By ascending GUID. O(blocks that changed up to then).
  std::vector<StoredSwitchTable> tables(std::int64_t version) const;

  /// From the oldest to the newest row.
  std::vector<StoredJob> jobs(const JobQuery& query) const;
  /// The source that said something last; none: there never was one.
  std::optional<JobSourceState> job_source() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pssp
