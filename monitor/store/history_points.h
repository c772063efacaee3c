#pragma once

// Intervals of a port joined to the points of a history.

#include <array>
#include <cstdint>

#include "monitor/store/history_reader.h"
#include "monitor/store/period_codec.h"
#include "monitor/store/sample_codec.h"

namespace pssp {

/// One interval of one port, whatever the level.
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

/// Appends points to a history whose columns are set already.
class PointBuilder {
 public:
  explicit PointBuilder(PortHistory& history) : history_(history) {}

  void add(const HistoryInterval& interval);
  /// What was added is one point, and the next one begins.
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
