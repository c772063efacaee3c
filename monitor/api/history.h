#pragma once

// The history of a port, independent of where it is stored.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "monitor/api/live_state.h"
#include "monitor/api/query.h"

namespace pssp {

struct HistoryRequest {
  Guid node = 0;
  PortNumber number = 0;
  std::int64_t since_ms = 0, until_ms = 0;  ///< since <= time < until
  std::size_t points = 500;                 ///< at most, 1 .. 5000
  CounterMask counters = all_counters;
};

/// Values per second; NaN in gaps.
struct HistoryColumn {
  Counter counter;
  std::vector<double> mean, largest;
};
struct HistoryView {
  std::string level;  ///< "memory", "raw", "5min", "hour"
  std::vector<std::int64_t> time_ms;
  std::vector<HistoryColumn> columns;
};

/// A description that a node had from `since_ms` on, exactly as the node sent it.
struct NameView {
  std::int64_t since_ms = 0;
  std::string description;
};

/// A source with more history than the memory. Calls come from one thread at a time.
class HistorySource {
 public:
  HistorySource() = default;
  HistorySource(const HistorySource&) = delete;
  HistorySource& operator=(const HistorySource&) = delete;
  virtual ~HistorySource() = default;
  /// Unset if the source cannot be read now; the caller then uses the memory.
  virtual std::optional<HistoryView> port_history(const HistoryRequest& request) = 0;
  /// All ports in the finest interval that contains the time; null if there is none, or if the
  /// source cannot be read now.
  virtual LiveViewPointer view_at(std::int64_t time_ms) = 0;
  /// Oldest first; empty if the source cannot be read now.
  virtual std::vector<NameView> node_names(Guid node) = 0;
};

/// The time of the parameter `at`; unset if it is absent. Throws ApiError.
std::optional<std::int64_t> asked_time(const Target& target);
/// Throws ApiError.
HistoryRequest history_request(const LiveView& view, const Target& target, std::uint32_t port);
/// The history from the recent sweeps, which are in memory.
HistoryView recent_history(const LiveView& view, const HistoryRequest& request);
std::string history_text(const LiveView& view, const HistoryRequest& request,
                         const HistoryView& history);

}  // namespace pssp
