#pragma once

// Writes the operations of a rank step by step.

#include <cstdint>
#include <utility>
#include <vector>

#include "applications/schedule/schedule.h"

namespace pssp {

/// How much of a schedule there is.
struct ScheduleSize {
  std::uint64_t operations = 0, dependencies = 0;
};

/// Operations of a step begin when all of the step before have ended. Messages have tag 0: between
/// two ranks they meet in their order.
class RankWriter {
 public:
  RankWriter() = default;
  /// Writes nothing, and adds what it would write to `counted`, which must outlive the object.
  explicit RankWriter(ScheduleSize& counted) : counted_(&counted) {}

  void send(std::uint64_t bytes, std::uint32_t to) {
    add({OperationKind::send, 0, 0, to, 0, bytes});
  }
  void receive(std::uint64_t bytes, std::uint32_t from) {
    add({OperationKind::receive, 0, 0, from, 0, bytes});
  }
  void compute(std::uint64_t nanoseconds) {
    if (nanoseconds != 0) add({OperationKind::compute, 0, 0, 0, 0, nanoseconds});
  }
  /// What follows waits for what was written since the last call; without anything, for the same as
  /// before.
  void next_step() {
    if (next_ == begin_) return;
    waited_for_ = {begin_, next_};
    begin_ = next_;
  }
  RankSchedule take() { return std::move(rank_); }

 private:
  void add(const Operation& operation) {
    const std::uint32_t number = next_++;
    if (counted_ != nullptr) {
      ++counted_->operations;
      counted_->dependencies += waited_for_.second - waited_for_.first;
      return;
    }
    rank_.operations.push_back(operation);
    for (std::uint32_t earlier = waited_for_.first; earlier < waited_for_.second; ++earlier) {
      rank_.dependencies.push_back({earlier, number, false});
    }
  }

  ScheduleSize* counted_ = nullptr;
  RankSchedule rank_;
  std::uint32_t begin_ = 0, next_ = 0;  // of the step, of what is written next
  std::pair<std::uint32_t, std::uint32_t> waited_for_{0, 0};
};

}  // namespace pssp
