#pragma once

// Predicts the size of a history.

#include <array>
#include <cstdint>

#include "monitor/store/history_options.h"

namespace pssp {

struct HistoryLoad {
  std::uint64_t ports = 0;
  double interval_s = 10;
  double busy = 2.0 / 3;  ///< fraction of the ports that send or receive between two sweeps
};

struct HistorySize {
  std::array<std::uint64_t, history_levels> rows{};   ///< sweeps or periods, by HistoryLevel
  std::array<std::uint64_t, history_levels> bytes{};  ///< by HistoryLevel
  std::uint64_t total() const noexcept { return bytes[0] + bytes[1] + bytes[2]; }
};

/// Size of a history with full retention as in `options`, from measured bytes per port
/// (docs/reference/monitor-database.md, "Size"). O(1).
HistorySize history_size(const HistoryLoad& load, const HistoryOptions& options);

/// Shortens the retention in `options` until the size is at most options.max_bytes: first raw
/// sweeps, down to an hour, then five-minute periods, down to a day, then hours, down to a week.
/// Returns these minimums if the size is still too large.
HistoryOptions fitting(const HistoryLoad& load, HistoryOptions options);

}  // namespace pssp
