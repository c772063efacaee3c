#pragma once

// What all ports did in the interval of a history that contains a given time, at the finest level
// that is kept. A reader must be used by one thread at a time.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "monitor/counters/fabric_map.h"
#include "monitor/counters/rates.h"
#include "monitor/store/history_options.h"

namespace pssp {

/// The interval between two sweeps, or a period: since < time <= until, in milliseconds since 1970.
/// For a sweep without a difference from the previous one, such as the first, since = until.
struct HistorySpan {
  HistoryLevel level = HistoryLevel::raw;
  std::int64_t id = 0;  ///< number of the sweep or period in the file
  std::int64_t generation = 0;
  std::int64_t since_ms = 0, until_ms = 0;

  bool operator==(const HistorySpan&) const = default;
};

/// By port of the map that was in force at the end of the span.
struct HistorySnapshot {
  std::shared_ptr<const FabricMap> map;  ///< with its Fabric, unless FabricBuilder refused it
  std::vector<PortStatus> status;
  std::vector<PortDifference> differences;  ///< `ns` is 0 if there is no difference
};

class SnapshotReader {
 public:
  /// Throws as HistoryReader does.
  explicit SnapshotReader(const std::filesystem::path& file);
  SnapshotReader(const SnapshotReader&) = delete;
  SnapshotReader& operator=(const SnapshotReader&) = delete;
  ~SnapshotReader();

  /// False if the file was removed or renamed after it was opened.
  bool is_in_place() const;

  // All calls throw Error(unreadable_input) if the file is damaged or cannot be read.

  /// The span that contains `time_ms`, at the finest level that has one. The newest sweep also
  /// counts for up to two intervals after its end, while the next sweep may still arrive. Nothing
  /// before the first sweep, after the last, or while the monitor was down.
  std::optional<HistorySpan> span_at(std::int64_t time_ms) const;
  /// Nothing if the map was deleted. Maps are cached, so that snapshots of one generation share one
  /// map. O(ports).
  std::optional<HistorySnapshot> snapshot(const HistorySpan& span) const;
  /// Changes whenever another connection has written into the file.
  std::int64_t version() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pssp
