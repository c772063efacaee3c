// Bytes per port were measured with benchmarks/monitor_store.cpp and include the overhead of pages.
// The more a busy port sends, the more bytes it takes, because numbers get longer. The figures
// assume ports that use between the whole link and a ten-thousandth of it, uniformly over the
// octaves.

#include "monitor/store/retention_plan.h"

#include <algorithm>
#include <cmath>

namespace pssp {
namespace {

struct PortBytes {
  double idle, busy;
};
constexpr std::array<PortBytes, history_levels> bytes_of_port{{{1.8, 20}, {1.8, 31.5}, {1.8, 34}}};
constexpr double seconds_of_hour = 3600;
constexpr double hours_of_day = 24;

/// The largest value in [least, most] whose size fits; `least` if none fits.
std::uint32_t largest_fitting(std::uint32_t least, std::uint32_t most, const auto& fits) {
  if (most <= least) return most;
  while (least < most) {
    const std::uint32_t middle = least + (most - least + 1) / 2;
    if (fits(middle)) {
      least = middle;
    } else {
      most = middle - 1;
    }
  }
  return least;
}

}  // namespace

HistorySize history_size(const HistoryLoad& load, const HistoryOptions& options) {
  const std::array<double, history_levels> rows{
      options.raw_hours * seconds_of_hour / load.interval_s,
      options.five_minutes_days * hours_of_day * seconds_of_hour * 1e3 / five_minutes_ms,
      options.hours_days * hours_of_day};
  HistorySize size;
  for (std::size_t level = 0; level < history_levels; ++level) {
    const PortBytes& each = bytes_of_port[level];
    const double row =
        static_cast<double>(load.ports) * (each.idle * (1 - load.busy) + each.busy * load.busy);
    size.rows[level] = static_cast<std::uint64_t>(std::ceil(rows[level]));
    size.bytes[level] = static_cast<std::uint64_t>(std::ceil(rows[level] * row));
  }
  return size;
}

HistoryOptions fitting(const HistoryLoad& load, HistoryOptions options) {
  const auto shorten = [&](std::uint32_t HistoryOptions::*member, std::uint32_t least) {
    options.*member = largest_fitting(least, options.*member, [&](std::uint32_t value) {
      HistoryOptions tried = options;
      tried.*member = value;
      return history_size(load, tried).total() <= options.max_bytes;
    });
  };
  shorten(&HistoryOptions::raw_hours, 1);
  shorten(&HistoryOptions::five_minutes_days, 1);
  shorten(&HistoryOptions::hours_days, 7);
  return options;
}

}  // namespace pssp
