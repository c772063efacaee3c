#pragma once

// Merges the intervals of a port into the points of a history.

#include <array>
#include <cstdint>

#include "monitor/store/history_reader.h"
#include "monitor/store/period_codec.h"
#include "monitor/store/sample_codec.h"

namespace pssp {

/// One interval of one port, at any level.
struct HistoryInterval {
  std::int64_t time_ms = 0;
  bool readable = true;
  std::uint64_t covered_ms = 0;
  CounterMask known = 0, partly = 0;
  CounterValues delta{};
  std::array<double, peak_counters.size()> peak{};
};
HistoryInterval interval_of(const PortSample& port);
HistoryInterval interval_of(const PeriodSample& port);

/// Appends points to a history whose columns are already set up.
class PointBuilder {
 public:
  explicit PointBuilder(PortHistory& history) : history_(history) {}

  void add(const HistoryInterval& interval);
  /// Appends the intervals added so far as one point, and starts the next point.
  void finish();

 private:
  struct Point {
    std::int64_t time_ms = 0;
    std::uint64_t covered_ms = 0;
    CounterMask known = 0, gap = 0;
    CounterValues sum{};
    std::array<double, counter_count> largest{};
  };

  PortHistory& history_;
  Point point_;
};

}  // namespace pssp
