#pragma once

// Reads the history of a fabric while another process may write it. Every call sees a consistent
// state of the database. A reader must be used by one thread at a time.

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "monitor/counters/counter_set.h"
#include "monitor/counters/fabric_map.h"
#include "monitor/counters/port_key.h"
#include "monitor/counters/snapshot.h"
#include "monitor/store/history_options.h"

namespace pssp {

/// since <= time < until, in milliseconds since 1970.
struct TimeWindow {
  std::int64_t since_ms = 0;
  std::int64_t until_ms = std::numeric_limits<std::int64_t>::max();
};

struct HistoryQuery {
  PortKey port;
  TimeWindow window;
  CounterMask counters = all_counters;
  std::size_t points = 5'000;  ///< at most; adjacent intervals are merged to stay below. 1 .. 5,000
  /// Nothing: the finest level that covers the whole window and has at most ten times `points`.
  std::optional<HistoryLevel> level;
};

/// One counter over time. `mean` and `largest` are rates per second (bytes, packets, ticks,
/// events); they are NaN if no interval of the point has a difference.
struct CounterColumn {
  Counter counter;
  std::vector<double> mean;
  std::vector<double>
      largest;  ///< of one interval between sweeps; levels 5min and hour keep it to within 1.1 %
  std::vector<std::uint64_t> sum;
  std::vector<bool> gap;  ///< not read, reset, saturated or implausible for all or part of the time
};

struct PortHistory {
  HistoryLevel level = HistoryLevel::raw;
  std::vector<std::int64_t> time_ms;  ///< end of the time that the point covers
  /// time that the sums cover, at most the length of the point
  std::vector<std::uint64_t> covered_ms;
  std::vector<CounterColumn> columns;  ///< in the order of Counter
  std::size_t unreadable_rows = 0;     ///< damaged rows of the database; they count as gaps
};

/// One interval of one port: a difference between two sweeps, or a sum of them.
struct HistorySample {
  std::uint64_t sweep = 0;  ///< number of the sweep or period in the file
  std::int64_t time_ms = 0;
  PortKey port;
  PortStatus status = PortStatus::read;
  std::uint64_t covered_ms = 0;  ///< time that the differences cover; 0: there are none
  CounterMask known = 0;         ///< counters with a valid difference
  CounterMask partly = 0;        ///< subset of `known` that is valid for part of the time only
  CounterMask saturated = 0;     ///< counters that are at their largest value
  CounterValues delta{};
  std::uint32_t rate_mbits = 0;  ///< rate of the link at that time; 0: unknown
};

struct HistoryStatus {
  std::uint64_t bytes = 0;
  std::uint64_t sweeps = 0;  ///< number of raw sweeps in the file
  std::uint64_t last_sweep = 0;
  std::int64_t oldest_ms = 0, newest_ms = 0;  ///< over all levels; 0: the file has no samples yet
  std::array<std::int64_t, history_levels> oldest_of_level{};
};

struct HistorySweep {
  std::uint64_t sweep = 0, generation = 0;
  std::int64_t time_ms = 0;
  SweepFigures figures;
};

/// Filters for the list of events. A field that is empty or has no value does not filter.
struct EventQuery {
  TimeWindow window;
  std::string kind;  ///< name_of(EventKind)
  std::optional<Guid> node;
  std::optional<PortNumber> number;
  std::size_t limit = 10'000;  ///< the newest ones are returned
  /// return only events with smaller numbers, for the next page; 0: start with the newest
  std::uint64_t after = 0;
};
struct StoredEvent {
  std::uint64_t number = 0;
  std::int64_t time_ms = 0;
  std::string kind;             ///< name_of(EventKind); may be a kind that only newer programs know
  std::optional<PortKey> port;  ///< number 0: the whole node
  std::string text;
};

/// A description that a node had from `since_ms` on.
struct NodeName {
  std::int64_t since_ms = 0;
  std::string description;  ///< as the node sent it: untrusted text
};

class HistoryReader {
 public:
  /// Opens the file without changing it. Throws Error(unreadable_input) if the file does not exist,
  /// cannot be read, belongs to another program, or has a newer version.
  explicit HistoryReader(const std::filesystem::path& file);
  HistoryReader(const HistoryReader&) = delete;
  HistoryReader& operator=(const HistoryReader&) = delete;
  ~HistoryReader();

  /// False if the file was removed or renamed after it was opened.
  bool is_in_place() const;

  // All calls throw Error(unreadable_input) if the file is damaged or cannot be read.

  HistoryStatus status() const;
  bool has_port(PortKey port) const;
  /// The history of an unknown port has no points. O(rows in the window).
  PortHistory port_history(const HistoryQuery& query) const;

  /// Calls `sample` for one port or for all, sorted by time, then by port. Ends early if `sample`
  /// returns false.
  void for_each_sample(HistoryLevel level, const TimeWindow& window, std::optional<PortKey> port,
                       const std::function<bool(const HistorySample&)>& sample) const;

  std::vector<HistorySweep> sweeps(const TimeWindow& window) const;
  /// Sorted by time, oldest first.
  std::vector<StoredEvent> events(const EventQuery& query) const;
  std::vector<NodeName> node_names(Guid node) const;

  /// The fabric at a given time: the newest map that is not younger than `time_ms`; the oldest map
  /// if all are younger; null if there is none. The map has the nodes, ports, cables, rates, LIDs,
  /// names and states that discovery read, but no `FabricMap::fabric`.
  std::shared_ptr<const FabricMap> map_at(std::int64_t time_ms) const;
  /// The fabric at a given time in the notation of ibnetdiscover. Nothing if there is no map, or if
  /// discovery could not build a Fabric from it.
  std::optional<std::string> net_at(std::int64_t time_ms) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pssp
