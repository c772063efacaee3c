#pragma once

// Sums of sweeps over five minutes, and of these over hours.

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

/// Adds the intervals of a chunk, one sweep or period after the other.
class PeriodSum {
 public:
  void add(std::span<const PortSample> sweep);
  void add(std::span<const PeriodSample> period);
  /// A row that is missing or damaged: whatever the ports count lacks it.
  void add_gap() noexcept { ++rows_; }

  /// The sums so far: a counter that one of the rows lacks is said to be there partly.
  std::vector<PeriodSample> result() const;

 private:
  struct Port {
    PeriodSample sum;
    std::array<std::uint32_t, counter_count> rows{};  ///< that had the counter as a whole
  };

  Port& port(std::size_t at);

  std::vector<Port> ports_;
  std::uint32_t rows_ = 0;
};

/// What is done next of what is due.
class Downsampler {
 public:
  explicit Downsampler(SQLite::Database& database) : database_(database) {}

  /// Writes sums for about that long, in one transaction. False where nothing was to be done.
  bool step(std::chrono::milliseconds budget);

  /// After samples of a chunk in these sweeps were changed: what they are summed in already is
  /// summed again; where sweeps of it are gone meanwhile `forget` is told, and takes ports out. In
  /// the caller's transaction.
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
  std::array<std::int64_t, history_levels> filled_{};  // periods up to this one are complete
  std::size_t unreadable_rows_ = 0;
};

}  // namespace pssp
