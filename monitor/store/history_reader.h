#pragma once

// Reads the history of a fabric while another process may write it. Every call sees a state that
// was whole at one moment. A reader belongs to one thread at a time.

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
  std::size_t points = 5'000;  ///< at most; neighbours are joined until it is so. 1 .. 5,000
  /// Nothing: the finest that has the whole window and is no more than ten times too fine.
  std::optional<HistoryLevel> level;
};

/// One counter over time; `mean` and `largest` are a second (bytes, packets, ticks, events), and
/// not a number where `gap` is set.
struct CounterColumn {
  Counter counter;
  std::vector<double> mean;
  std::vector<double>
      largest;  ///< of one interval between sweeps; kept to 1.1 % of levels 5min and hour
  std::vector<std::uint64_t> sum;
  std::vector<bool> gap;  ///< not read, reset, saturated, not believed: all or part of the time
};

struct PortHistory {
  HistoryLevel level = HistoryLevel::raw;
  std::vector<std::int64_t> time_ms;      ///< end of what a point stands for
  std::vector<std::uint64_t> covered_ms;  ///< of that, the time that the sums are of
  std::vector<CounterColumn> columns;     ///< by Counter
  std::size_t unreadable_rows = 0;        ///< of the database: they count as gaps
};

/// One interval of one port: a difference between two sweeps, or a sum of them.
struct HistorySample {
  std::uint64_t sweep = 0;  ///< number in the file, or of the period
  std::int64_t time_ms = 0;
  PortKey port;
  PortStatus status = PortStatus::read;
  std::uint64_t covered_ms = 0;  ///< time that the differences are of; 0: there are none
  CounterMask known = 0;         ///< counters whose difference holds
  CounterMask partly = 0;        ///< of these, those that hold for part of the time only
  CounterMask saturated = 0;     ///< counters that stand at their largest value
  CounterValues delta{};
  std::uint32_t rate_mbits = 0;  ///< of the link at that time; 0: not stated
};

struct HistoryStatus {
  std::uint64_t bytes = 0;
  std::uint64_t sweeps = 0;  ///< kept raw
  std::uint64_t last_sweep = 0;
  std::int64_t oldest_ms = 0, newest_ms = 0;  ///< of any level; 0: nothing yet
  std::array<std::int64_t, history_levels> oldest_of_level{};
};

struct HistorySweep {
  std::uint64_t sweep = 0, generation = 0;
  std::int64_t time_ms = 0;
  SweepFigures figures;
};

/// Filters of the list of events; empty and nothing: all.
struct EventQuery {
  TimeWindow window;
  std::string kind;  ///< name_of(EventKind)
  std::optional<Guid> node;
  std::optional<PortNumber> number;
  std::size_t limit = 10'000;  ///< the newest of them
  std::uint64_t after = 0;     ///< events with a smaller number, for the next page; 0: the newest
};
struct StoredEvent {
  std::uint64_t number = 0;
  std::int64_t time_ms = 0;
  std::string kind;  ///< name_of(EventKind), also of kinds that only a newer program knows
  std::optional<PortKey> port;  ///< number 0: the node as a whole
  std::string text;
};

/// A description that a node had from `since_ms` on.
struct NodeName {
  std::int64_t since_ms = 0;
  std::string description;  ///< as the node sent it: hostile
};

class HistoryReader {
 public:
  /// Throws Error(unreadable_input) where there is no such file, it is another program's or of a
  /// newer version, or cannot be read. The file is not changed.
  explicit HistoryReader(const std::filesystem::path& file);
  HistoryReader(const HistoryReader&) = delete;
  HistoryReader& operator=(const HistoryReader&) = delete;
  ~HistoryReader();

  /// False when the file was removed or renamed since it was opened.
  bool is_in_place() const;

  // All calls throw Error(unreadable_input) where the file is damaged or cannot be read.

  HistoryStatus status() const;
  bool has_port(PortKey port) const;
  /// A port that is not known has a history without points. O(rows of the window).
  PortHistory port_history(const HistoryQuery& query) const;

  /// Samples by time, then by port, of one port or of all. Ends early when `sample` returns false.
  void for_each_sample(HistoryLevel level, const TimeWindow& window, std::optional<PortKey> port,
                       const std::function<bool(const HistorySample&)>& sample) const;

  std::vector<HistorySweep> sweeps(const TimeWindow& window) const;
  /// From the oldest to the newest.
  std::vector<StoredEvent> events(const EventQuery& query) const;
  std::vector<NodeName> node_names(Guid node) const;

  /// The fabric as it was: the newest map that was not younger than that; the oldest where all are
  /// younger; null where there is none. Of what discovery read it has nodes, ports, cables, rates,
  /// LIDs, names and states; not `FabricMap::fabric`.
  std::shared_ptr<const FabricMap> map_at(std::int64_t time_ms) const;
  /// The same as text in the notation of ibnetdiscover; nothing where there is none, or discovery
  /// could make no Fabric of it.
  std::optional<std::string> net_at(std::int64_t time_ms) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pssp
