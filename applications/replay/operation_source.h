#pragma once

// The source of the operations of a simulation: a schedule, or an application that creates them one
// by one.

#include <cstdint>
#include <string>
#include <vector>

#include "applications/schedule/schedule.h"

namespace pssp {

/// An operation has a number while it is simulated: its own in a schedule, else a reusable one.
/// Numbers are appended to `freed` in the order in which operations become ready.
class OperationSource {
 public:
  OperationSource() = default;
  OperationSource(const OperationSource&) = delete;
  OperationSource& operator=(const OperationSource&) = delete;
  virtual ~OperationSource() = default;

  virtual std::uint32_t rank_count() const = 0;
  /// By value, because later operations can move it.
  virtual Operation operation(std::uint32_t number) const = 0;
  virtual std::uint32_t rank_of(std::uint32_t number) const = 0;
  /// Determines the order of two operations of one rank in its schedule.
  virtual std::uint64_t order_of(std::uint32_t number) const = 0;

  /// Operations without preconditions.
  virtual void first(std::vector<std::uint32_t>& freed) = 0;
  /// Operations that become ready because this one has begun, or ended.
  virtual void begun(std::uint32_t number, std::vector<std::uint32_t>& freed) = 0;
  virtual void ended(std::uint32_t number, std::vector<std::uint32_t>& freed) = 0;
  /// The operation and its message have ended, and will not be used again.
  virtual void forget(std::uint32_t number) = 0;

  /// Up to `most` operations that were ready and have not ended, "rank 3: receive 8 bytes from 5
  /// tag 0", by rank and order.
  virtual std::vector<std::string> waiting(std::size_t most) const = 0;
};

/// All operations of a schedule, which must outlive the object.
class ScheduleSource : public OperationSource {
 public:
  explicit ScheduleSource(const Schedule& schedule)
      : schedule_(schedule),
        waits_for_(schedule.predecessor_counts().begin(), schedule.predecessor_counts().end()),
        ended_(schedule.operation_count()) {}

  std::uint32_t rank_count() const override { return schedule_.rank_count(); }
  Operation operation(std::uint32_t number) const override { return schedule_.operation(number); }
  std::uint32_t rank_of(std::uint32_t number) const override { return schedule_.rank_of(number); }
  std::uint64_t order_of(std::uint32_t number) const override { return number; }
  void first(std::vector<std::uint32_t>& freed) override {
    for (std::uint32_t i = 0; i < waits_for_.size(); ++i) {
      if (waits_for_[i] == 0) freed.push_back(i);
    }
  }
  void begun(std::uint32_t number, std::vector<std::uint32_t>& freed) override {
    release(schedule_.after_begin(number), freed);
  }
  void ended(std::uint32_t number, std::vector<std::uint32_t>& freed) override {
    ended_[number] = 1;
    release(schedule_.after_end(number), freed);
  }
  void forget(std::uint32_t /*number*/) override {}
  std::vector<std::string> waiting(std::size_t most) const override {
    std::vector<std::string> labels;
    for (std::uint32_t i = 0; i < ended_.size() && labels.size() < most; ++i) {
      // Lists only operations that wait for a partner, not for other operations.
      if (ended_[i] == 0 && waits_for_[i] == 0) labels.push_back(schedule_.label(i));
    }
    return labels;
  }

 private:
  void release(std::span<const std::uint32_t> later, std::vector<std::uint32_t>& freed) {
    for (const std::uint32_t operation : later) {
      if (--waits_for_[operation] == 0) freed.push_back(operation);
    }
  }

  const Schedule& schedule_;
  std::vector<std::uint32_t> waits_for_;
  std::vector<char> ended_;
};

}  // namespace pssp
