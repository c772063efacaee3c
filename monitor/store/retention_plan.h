#pragma once

// How large a history becomes before it has been written.

#include <array>
#include <cstdint>

#include "monitor/store/history_options.h"

namespace pssp {

struct HistoryLoad {
  std::uint64_t ports = 0;
  double interval_s = 10;
  double busy = 2.0 / 3;  ///< share of the ports that send or receive between two sweeps
};

struct HistorySize {
  std::array<std::uint64_t, history_levels> rows{};   ///< sweeps, periods
  std::array<std::uint64_t, history_levels> bytes{};  ///< by HistoryLevel
  std::uint64_t total() const noexcept { return bytes[0] + bytes[1] + bytes[2]; }
};

/// Of a history that is as long as `options` say. By measured bytes a port
/// (docs/reference/monitor-database.md, "Size"); O(1).
HistorySize history_size(const HistoryLoad& load, const HistoryOptions& options);

/// `options` with retention cut until the size is at most options.max_bytes: sweeps first, down to
/// an hour, then five minutes, down to a day, then hours, down to a week. Where that is still too
/// much the shortest is returned.
HistoryOptions fitting(const HistoryLoad& load, HistoryOptions options);

}  // namespace pssp
