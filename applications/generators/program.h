#pragma once

// The operations of an application's ranks, step by step, so that a simulation can create them as
// they become ready, and a file can contain all of them.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "applications/schedule/schedule.h"

namespace pssp {

/// A rank executes phases one after the other. A phase has concurrent strands; a strand has
/// successive steps. The operations of a step begin when those of the previous step have ended, a
/// phase begins when all strands of the previous phase have ended.
struct StepPosition {
  std::uint32_t rank = 0, phase = 0, strand = 0;
  std::uint64_t step = 0;
};

/// Collects the operations of a step.
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

/// Immutable; can be read by any number of threads.
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
  /// Writes the operations of a step, possibly none. Returns false and writes nothing after the
  /// last step of the strand.
  virtual bool write_step(const StepPosition& place, StepWriter& writer) const = 0;
};

/// A program for a number of ranks, and its number of iterations. An iteration of a rank begins
/// with a computation, when the rank's previous iteration has ended.
struct Application {
  std::uint32_t ranks = 2;
  std::uint32_t iterations = 1;
  std::uint64_t compute_ns = 0;
  std::shared_ptr<const ApplicationProgram> program;
};

/// The size of an application.
struct ApplicationExtent {
  std::uint64_t operations = 0, dependencies = 0, messages = 0;
  double bytes = 0;          ///< of all sends
  double received = 0;       ///< of all receives
  double compute_ns = 0;     ///< of all ranks
  std::uint8_t adapter = 0;  ///< the highest number
};

/// Visits the steps of at most two iterations of each rank. Throws Error(usage) as soon as
/// most_operations or most_dependencies is exceeded. O(operations of two iterations) time,
/// O(operations of a step) memory.
ApplicationExtent extent_of(const Application& application);

/// The complete application. Throws as extent_of(), before writing anything.
std::vector<RankSchedule> written(const Application& application);

}  // namespace pssp
