#pragma once

// The history of a port, wherever it is kept.

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

/// A second; not a number in gaps.
struct HistoryColumn {
  Counter counter;
  std::vector<double> mean, largest;
};
struct HistoryView {
  std::string level;  ///< "memory", "raw", "5min", "hour"
  std::vector<std::int64_t> time_ms;
  std::vector<HistoryColumn> columns;
};

/// A description that a node had from `since_ms` on, as the node sent it.
struct NameView {
  std::int64_t since_ms = 0;
  std::string description;
};

/// What keeps more than memory does. Calls come from one thread at a time.
class HistorySource {
 public:
  HistorySource() = default;
  HistorySource(const HistorySource&) = delete;
  HistorySource& operator=(const HistorySource&) = delete;
  virtual ~HistorySource() = default;
  /// Nothing where it cannot be read now; then memory answers.
  virtual std::optional<HistoryView> port_history(const HistoryRequest& request) = 0;
  /// All ports in the finest interval that holds the time; null where there is none, or it cannot
  /// be read now.
  virtual LiveViewPointer view_at(std::int64_t time_ms) = 0;
  /// From the oldest to the newest; none where they cannot be read now.
  virtual std::vector<NameView> node_names(Guid node) = 0;
};

/// The time that `at` says; nothing where it is absent. Throws ApiError.
std::optional<std::int64_t> asked_time(const Target& target);
/// Throws ApiError.
HistoryRequest history_request(const LiveView& view, const Target& target, std::uint32_t port);
/// Of the last sweeps.
HistoryView recent_history(const LiveView& view, const HistoryRequest& request);
std::string history_text(const LiveView& view, const HistoryRequest& request,
                         const HistoryView& history);

}  // namespace pssp
