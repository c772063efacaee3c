#pragma once

// How far the operations of a schedule are: which are free to begin, and which never ended.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "applications/schedule/playing.h"
#include "applications/schedule/schedule.h"

namespace pssp {

class OperationProgress {
 public:
  /// The schedule must outlive the object.
  explicit OperationProgress(const Schedule& schedule)
      : schedule_(schedule),
        waits_for_(schedule.predecessor_counts().begin(), schedule.predecessor_counts().end()),
        ended_(schedule.operation_count()) {
    result_.rank_ends.resize(schedule.rank_count());
  }

  /// Calls free(operation) for each operation that waits for nothing.
  template <class Free>
  void begin_all(const Free& free) const {
    for (std::uint32_t i = 0; i < waits_for_.size(); ++i) {
      if (waits_for_[i] == 0) free(i);
    }
  }
  /// Calls free(operation) for each operation that now waits for nothing any more.
  template <class Free>
  void begun(std::uint32_t operation, const Free& free) {
    release(schedule_.after_begin(operation), free);
  }
  template <class Free>
  void ended(std::uint32_t operation, PlayTime time, const Free& free) {
    ended_[operation] = 1;
    ++result_.operations;
    PlayTime& end = result_.rank_ends[schedule_.rank_of(operation)];
    end = std::max(end, time);
    result_.time = std::max(result_.time, time);
    release(schedule_.after_end(operation), free);
  }

  PlayResult result() && {
    constexpr std::size_t most_shown = 10;
    for (std::uint32_t i = 0; i < ended_.size(); ++i) {
      // What waits for others is no news; what was begun and waits for a partner is.
      if (ended_[i] != 0 || waits_for_[i] != 0) continue;
      if (result_.standing_still.size() == most_shown) break;
      result_.standing_still.push_back(schedule_.label(i));
    }
    return std::move(result_);
  }

 private:
  template <class Free>
  void release(std::span<const std::uint32_t> later, const Free& free) {
    for (const std::uint32_t operation : later) {
      if (--waits_for_[operation] == 0) free(operation);
    }
  }

  const Schedule& schedule_;
  std::vector<std::uint32_t> waits_for_;
  std::vector<char> ended_;
  PlayResult result_;
};

/// Throws Error(usage) where all operations one after the other would last longer than times of a
/// play can be; `per_byte` picoseconds is the most that a byte takes, and computations last
/// `compute_scale` times as long as the schedule says.
void require_time_fits(const Schedule& schedule, const MessageCosts& costs, double per_byte,
                       double compute_scale = 1);

}  // namespace pssp
