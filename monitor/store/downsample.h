#pragma once

// Sums sweeps into periods of five minutes, and these into hours.

#include <SQLiteCpp/SQLiteCpp.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "monitor/store/history_options.h"
#include "monitor/store/period_codec.h"
#include "monitor/store/sample_codec.h"

namespace pssp {

/// Adds up the sweeps or periods of one chunk.
class PeriodSum {
 public:
  void add(std::span<const PortSample> sweep);
  void add(std::span<const PeriodSample> period);
  /// Counts a row that is missing or damaged: every counter of the sums becomes partial.
  void add_gap() noexcept { ++rows_; }

  /// The sums so far. A counter that is missing in at least one row is marked `partly`.
  std::vector<PeriodSample> result() const;

 private:
  struct Port {
    PeriodSample sum;
    std::array<std::uint32_t, counter_count> rows{};  ///< rows in which the counter is complete
  };

  Port& port(std::size_t at);

  std::vector<Port> ports_;
  std::uint32_t rows_ = 0;
};

/// Finds the periods that are due and fills them step by step.
class Downsampler {
 public:
  explicit Downsampler(SQLite::Database& database) : database_(database) {}

  /// Writes sums in one transaction until about `budget` has passed. Returns false if there was
  /// nothing to do.
  bool step(std::chrono::milliseconds budget);

  /// Recomputes the sums that contain the given sweeps of a chunk, after their samples have
  /// changed. If some of these sweeps were deleted in the meantime, `forget` removes the affected
  /// ports from the old sums instead. Runs inside the caller's transaction.
  void sum_again(std::int64_t first_sweep, std::int64_t last_sweep, std::size_t chunk,
                 const std::function<void(std::vector<PeriodSample>&)>& forget);

  std::size_t unreadable_rows() const noexcept { return unreadable_rows_; }

 private:
  struct Period {
    std::int64_t id = 0, first = 0, last = 0, done = 0, chunks = 0;
  };

  void close_periods(HistoryLevel level);
  bool is_whole(HistoryLevel from, const Period& period, std::size_t chunk);
  bool fill_one(HistoryLevel level, std::chrono::steady_clock::time_point deadline);
  std::vector<PeriodSample> sum_of(HistoryLevel from, const Period& period, std::size_t chunk);

  SQLite::Database& database_;
  // id of the last period up to which all periods are complete
  std::array<std::int64_t, history_levels> filled_{};
  std::size_t unreadable_rows_ = 0;
};

}  // namespace pssp
