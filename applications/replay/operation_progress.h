#pragma once

// The progress of a simulation: the operations that become ready when others begin and end, and the
// end times.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "applications/generators/program.h"
#include "applications/replay/operation_source.h"
#include "applications/schedule/playing.h"
#include "applications/schedule/schedule.h"

namespace pssp {

class OperationProgress {
 public:
  /// The source must outlive the object.
  explicit OperationProgress(OperationSource& source) : source_(source) {
    result_.rank_ends.resize(source.rank_count());
  }

  /// Calls free(operation) for each operation without preconditions.
  template <class Free>
  void begin_all(const Free& free) {
    hand_out([&] { source_.first(freed_); }, free);
  }
  /// Calls free(operation) for each operation that has become ready.
  template <class Free>
  void begun(std::uint32_t operation, const Free& free) {
    hand_out([&] { source_.begun(operation, freed_); }, free);
  }
  template <class Free>
  void ended(std::uint32_t operation, ReplayTime time, const Free& free) {
    ++result_.operations;
    ReplayTime& end = result_.rank_ends[source_.rank_of(operation)];
    end = std::max(end, time);
    result_.time = std::max(result_.time, time);
    hand_out([&] { source_.ended(operation, freed_); }, free);
  }

  ReplayResult result() && {
    constexpr std::size_t most_displayed = 10;
    result_.standing_still = source_.waiting(most_displayed);
    return std::move(result_);
  }

 private:
  /// Ready operations can make others ready recursively, which are then appended and already
  /// removed.
  template <class Collect, class Free>
  void hand_out(const Collect& collect, const Free& free) {
    const std::size_t first = freed_.size();
    collect();
    const std::size_t end = freed_.size();
    for (std::size_t i = first; i < end; ++i) free(freed_[i]);
    freed_.resize(first);
  }

  OperationSource& source_;
  std::vector<std::uint32_t> freed_;
  ReplayResult result_;
};

/// Throws Error(usage) if all operations one after the other would exceed the range of times;
/// `per_byte` is the maximum number of picoseconds per byte, and `compute_scale` the factor of
/// computations.
void require_time_fits(const Schedule& schedule, const MessageCosts& costs, double per_byte,
                       double compute_scale = 1);
void require_time_fits(const ApplicationExtent& extent, const MessageCosts& costs, double per_byte,
                       double compute_scale = 1);

}  // namespace pssp
