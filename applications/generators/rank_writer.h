#pragma once

// Writes the operations of a rank step by step.

#include <cstdint>
#include <utility>
#include <vector>

#include "applications/schedule/schedule.h"

namespace pssp {

/// Operations of a step begin when all of the step before have ended. Messages have tag 0: between
/// two ranks they meet in their order.
class RankWriter {
 public:
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
    const auto end = static_cast<std::uint32_t>(rank_.operations.size());
    if (end == begin_) return;
    waited_for_ = {begin_, end};
    begin_ = end;
  }
  RankSchedule take() { return std::move(rank_); }

 private:
  void add(const Operation& operation) {
    const auto number = static_cast<std::uint32_t>(rank_.operations.size());
    rank_.operations.push_back(operation);
    for (std::uint32_t earlier = waited_for_.first; earlier < waited_for_.second; ++earlier) {
      rank_.dependencies.push_back({earlier, number, false});
    }
  }

  RankSchedule rank_;
  std::uint32_t begin_ = 0;
  std::pair<std::uint32_t, std::uint32_t> waited_for_{0, 0};
};

}  // namespace pssp
