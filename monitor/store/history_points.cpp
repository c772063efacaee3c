// A point is the sum over its intervals divided by the time that these cover. An interval without a
// difference contributes neither counts nor time. It is marked as a gap, because the counter may
// have advanced meanwhile.

#include "monitor/store/history_points.h"

#include <algorithm>
#include <limits>

namespace pssp {
namespace {

constexpr double unknown_rate = std::numeric_limits<double>::quiet_NaN();

double per_second(std::uint64_t sum, std::uint64_t covered_ms) noexcept {
  return static_cast<double>(sum) * 1e3 / static_cast<double>(covered_ms);
}

double largest_of(const HistoryInterval& interval, Counter counter) {
  for (std::size_t i = 0; i < peak_counters.size(); ++i) {
    if (peak_counters[i] == counter) return interval.peak[i];
  }
  // For the other counters only the mean of the interval is stored.
  return per_second(interval.delta[static_cast<std::size_t>(counter)], interval.covered_ms);
}

}  // namespace

HistoryInterval interval_of(const PortSample& port) {
  HistoryInterval interval;
  interval.known = port.held;
  interval.covered_ms = port.covered_ms;
  interval.delta = port.delta;
  if (port.covered_ms == 0) return interval;
  for (std::size_t i = 0; i < peak_counters.size(); ++i) {
    interval.peak[i] =
        per_second(port.delta[static_cast<std::size_t>(peak_counters[i])], port.covered_ms);
  }
  return interval;
}

HistoryInterval interval_of(const PeriodSample& port) {
  HistoryInterval interval;
  interval.known = port.known;
  interval.partly = port.partly;
  interval.covered_ms = port.covered_ms;
  interval.delta = port.sum;
  interval.peak = port.peak;
  return interval;
}

void PointBuilder::add(const HistoryInterval& interval) {
  point_.time_ms = interval.time_ms;
  point_.covered_ms += interval.covered_ms;
  point_.known |= interval.known;
  point_.gap |= (~interval.known | interval.partly) & all_counters;
  for (std::size_t at = 0; at < counter_count; ++at) point_.sum[at] += interval.delta[at];
  for (const CounterColumn& column : history_.columns) {
    const auto at = static_cast<std::size_t>(column.counter);
    if ((interval.known & mask_of(column.counter)) == 0 || interval.covered_ms == 0) continue;
    point_.largest[at] = std::max(point_.largest[at], largest_of(interval, column.counter));
  }
}

void PointBuilder::finish() {
  history_.time_ms.push_back(point_.time_ms);
  history_.covered_ms.push_back(point_.covered_ms);
  for (CounterColumn& column : history_.columns) {
    const auto at = static_cast<std::size_t>(column.counter);
    const bool has_value = (point_.known & mask_of(column.counter)) != 0 && point_.covered_ms != 0;
    column.mean.push_back(has_value ? per_second(point_.sum[at], point_.covered_ms) : unknown_rate);
    column.largest.push_back(has_value ? point_.largest[at] : unknown_rate);
    column.sum.push_back(point_.sum[at]);
    column.gap.push_back((point_.gap & mask_of(column.counter)) != 0);
  }
  point_ = {};
}

}  // namespace pssp
