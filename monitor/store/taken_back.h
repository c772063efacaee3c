#pragma once

// Samples that turned out to be another node's, for LIDs move: they become gaps, also where they
// are summed already.

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

/// For the writer. It knows the sweeps that it was told of: those of an earlier process, or from
/// before a failure of the disk, stay as they are.
class TakenBack {
 public:
  TakenBack(SQLite::Database& database, Downsampler& downsampler, const PortRegister& ports);

  /// After a snapshot was written: its number, and that of the file.
  void written(std::uint64_t sweep, std::int64_t id);
  /// Makes gaps of what these events, and those of earlier calls that speak of sweeps still to be
  /// written, take back. In the caller's transaction. O(rows concerned).
  void apply(std::span<const MonitorEvent> events);

 private:
  using Row = std::pair<std::int64_t, std::size_t>;  // sweep of the file, chunk

  void collect(const MonitorEvent& doubt, std::map<Row, std::set<std::size_t>>& rows) const;
  bool make_gaps(const Row& row, const std::set<std::size_t>& ports);

  SQLite::Database& database_;
  Downsampler& downsampler_;
  const PortRegister& ports_;
  std::deque<std::pair<std::uint64_t, std::int64_t>> sweeps_;  // of snapshots, of the file
  std::vector<MonitorEvent> doubts_;                           // not yet whole
};

}  // namespace pssp
