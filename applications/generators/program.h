#pragma once

// What the ranks of an application do, said step by step, so that a play can make the operations of
// a rank as they become free and a file can have all of them.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "applications/schedule/schedule.h"

namespace pssp {

/// A rank goes through phases, one after the other. A phase has strands, which go side by side; a
/// strand has steps, one after the other. Operations of a step begin when all of the step before
/// have ended, a phase when all strands of the one before have.
struct StepPosition {
  std::uint32_t rank = 0, phase = 0, strand = 0;
  std::uint64_t step = 0;
};

/// Takes the operations of a step.
class StepWriter {
 public:
  /// Appends to the vector, which must outlive the object.
  explicit StepWriter(std::vector<Operation>& operations) : operations_(operations) {}

  void send(std::uint64_t bytes, std::uint32_t to, std::uint32_t tag = 0,
            std::uint8_t adapter = 0) {
    operations_.push_back({OperationKind::send, 0, adapter, to, tag, bytes});
  }
  void receive(std::uint64_t bytes, std::uint32_t from, std::uint32_t tag = 0,
               std::uint8_t adapter = 0) {
    operations_.push_back({OperationKind::receive, 0, adapter, from, tag, bytes});
  }
  void compute(std::uint64_t nanoseconds) {
    if (nanoseconds != 0) operations_.push_back({OperationKind::compute, 0, 0, 0, 0, nanoseconds});
  }

 private:
  std::vector<Operation>& operations_;
};

/// Immutable; safe to read from any number of threads.
class ApplicationProgram {
 public:
  ApplicationProgram() = default;
  ApplicationProgram(const ApplicationProgram&) = delete;
  ApplicationProgram& operator=(const ApplicationProgram&) = delete;
  virtual ~ApplicationProgram() = default;

  /// At least 1, the same for all ranks.
  virtual std::uint32_t phase_count() const { return 1; }
  /// 1 to 256.
  virtual std::uint32_t strand_count(std::uint32_t /*phase*/) const { return 1; }
  /// Writes the operations of a step, perhaps none. False, with nothing written: the strand has no
  /// such step, and none behind it.
  virtual bool write_step(const StepPosition& place, StepWriter& writer) const = 0;
};

/// A program for so many ranks, and how often. An iteration of a rank begins when its iteration
/// before has ended, with a computation of its own.
struct Application {
  std::uint32_t ranks = 2;
  std::uint32_t iterations = 1;
  std::uint64_t compute_ns = 0;
  std::shared_ptr<const ApplicationProgram> program;
};

/// How much there is of an application.
struct ApplicationExtent {
  std::uint64_t operations = 0, dependencies = 0, messages = 0;
  double bytes = 0;          ///< of all sends
  double received = 0;       ///< of all receives
  double compute_ns = 0;     ///< of all ranks
  std::uint8_t adapter = 0;  ///< the largest number
};

/// Goes through the steps of all ranks, through at most two iterations of each. Throws Error(usage)
/// beyond most_operations and most_dependencies, as soon as they are reached. O(operations of two
/// iterations) time, O(operations of a step) memory.
ApplicationExtent extent_of(const Application& application);

/// All of it. Throws as extent_of(), before anything is written.
std::vector<RankSchedule> written(const Application& application);

}  // namespace pssp
