#pragma once

// Retracts samples that turned out to belong to another node because LIDs were reassigned. They
// become gaps, also in the sums that contain them.

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "monitor/counters/event.h"
#include "monitor/store/downsample.h"
#include "monitor/store/port_register.h"

namespace pssp {

/// Used by the writer. Only sweeps that were passed to written() can be retracted, not those of an
/// earlier process or from before a disk failure.
class TakenBack {
 public:
  TakenBack(SQLite::Database& database, Downsampler& downsampler, const PortRegister& ports);

  /// Call this after a snapshot was written, with its number and the number of the sweep in the
  /// file.
  void written(std::uint64_t sweep, std::int64_t id);
  /// Turns the samples into gaps that these events retract, and those of earlier calls whose sweeps
  /// had not been written yet. Runs inside the caller's transaction. O(affected rows).
  void apply(std::span<const MonitorEvent> events);

 private:
  using Row = std::pair<std::int64_t, std::size_t>;  // sweep of the file, chunk

  void collect(const MonitorEvent& doubt, std::map<Row, std::set<std::size_t>>& rows) const;
  bool make_gaps(const Row& row, const std::set<std::size_t>& ports);

  SQLite::Database& database_;
  Downsampler& downsampler_;
  const PortRegister& ports_;
  // number of the snapshot, number in the file
  std::deque<std::pair<std::uint64_t, std::int64_t>> sweeps_;
  // doubts whose last sweep has not been written yet
  std::vector<MonitorEvent> doubts_;
};

}  // namespace pssp
