#pragma once

// What all ports did in the one interval of a history that holds a time: the finest that is kept.
// A reader belongs to one thread at a time.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "monitor/counters/fabric_map.h"
#include "monitor/counters/rates.h"
#include "monitor/store/history_options.h"

namespace pssp {

/// Between two sweeps, or a period: since < time <= until, in milliseconds since 1970. A sweep
/// without a difference to the one before it, such as the first, is a moment: since = until.
struct HistorySpan {
  HistoryLevel level = HistoryLevel::raw;
  std::int64_t id = 0;  ///< of the sweep or period in the file
  std::int64_t generation = 0;
  std::int64_t since_ms = 0, until_ms = 0;

  bool operator==(const HistorySpan&) const = default;
};

/// By port of the map that was in force at the end of the span.
struct HistorySnapshot {
  std::shared_ptr<const FabricMap> map;  ///< with its fabric, unless FabricBuilder refused it
  std::vector<PortStatus> status;
  std::vector<PortDifference> differences;  ///< `ns` is 0 where there is none
};

class SnapshotReader {
 public:
  /// As HistoryReader.
  explicit SnapshotReader(const std::filesystem::path& file);
  SnapshotReader(const SnapshotReader&) = delete;
  SnapshotReader& operator=(const SnapshotReader&) = delete;
  ~SnapshotReader();

  /// False when the file was removed or renamed since it was opened.
  bool is_in_place() const;

  // All calls throw Error(unreadable_input) where the file is damaged or cannot be read.

  /// Of the finest level that has one; the newest sweep also up to two intervals after it, as long
  /// as the next may still come. Nothing before the first, after the last and while no one read.
  std::optional<HistorySpan> span_at(std::int64_t time_ms) const;
  /// Nothing where its map is gone. Maps are kept, so that two moments of a generation have the
  /// same. O(ports).
  std::optional<HistorySnapshot> snapshot(const HistorySpan& span) const;
  /// Another number once somebody wrote into the file.
  std::int64_t version() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pssp
