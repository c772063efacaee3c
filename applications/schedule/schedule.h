#pragma once

// The schedule of an application: the sends, receives and computations of each rank, and their
// dependencies. T. Hoefler, C. Siebert, A. Lumsdaine, "Group Operation Assembly Language", ICPP
// 2009.

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace pssp {

/// Limit of a simulation: about 20 GB.
inline constexpr std::uint64_t most_operations = 200'000'000;
inline constexpr std::uint64_t most_dependencies = 400'000'000;

enum class OperationKind : std::uint8_t { send, receive, compute };

/// A receive from any rank, and a tag that matches every tag.
inline constexpr std::uint32_t any_rank = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::uint32_t any_tag = std::numeric_limits<std::uint32_t>::max();

struct Operation {
  OperationKind kind = OperationKind::compute;
  std::uint8_t processor = 0;  ///< of its rank, "cpu" in GOAL
  std::uint8_t adapter = 0;    ///< of its rank, "nic" in GOAL
  std::uint32_t peer = 0;      ///< of a send or receive
  std::uint32_t tag = 0;       ///< likewise
  std::uint64_t size = 0;      ///< bytes, or nanoseconds of a computation
  friend bool operator==(const Operation&, const Operation&) = default;
};

/// "rank 3: send 1024 bytes to 5 tag 0", for messages.
std::string operation_label(const Operation& operation, std::uint32_t rank);

/// `later` waits until `earlier` has ended, or only until it has begun. Both are operations of one
/// rank, numbered from its first.
struct Dependency {
  std::uint32_t earlier = 0;
  std::uint32_t later = 0;
  bool begun_is_enough = false;
  friend bool operator==(const Dependency&, const Dependency&) = default;
};

/// Operations and dependencies of one rank, before the schedule is built.
struct RankSchedule {
  std::vector<Operation> operations;
  std::vector<Dependency> dependencies;
};

/// Immutable; can be read by any number of threads. Operations are numbered rank by rank. About 40
/// bytes per operation.
class Schedule {
 public:
  /// Throws Error(verification_failed), with rank and operation, if operations of a rank wait for
  /// each other in a cycle; Error(usage) beyond 2^32 - 2 operations or dependencies. Peers must be
  /// below the number of ranks. O(operations + dependencies).
  explicit Schedule(std::vector<RankSchedule> ranks);

  std::uint32_t rank_count() const noexcept {
    return static_cast<std::uint32_t>(first_operation_.size() - 1);
  }
  std::uint32_t operation_count() const noexcept { return first_operation_.back(); }
  const Operation& operation(std::uint32_t number) const noexcept { return operations_[number]; }
  /// Operations of rank r are first_operation(r) .. first_operation(r + 1) - 1.
  std::uint32_t first_operation(std::uint32_t rank) const noexcept {
    return first_operation_[rank];
  }
  std::uint32_t rank_of(std::uint32_t operation) const noexcept { return rank_of_[operation]; }
  /// By operation, the number of operations that it waits for.
  std::span<const std::uint32_t> predecessor_counts() const noexcept { return predecessors_; }
  /// The operations that wait for the end, and those that wait for the beginning of an operation,
  /// in the order of the dependencies.
  std::span<const std::uint32_t> after_end(std::uint32_t operation) const noexcept {
    return ended_.of(operation);
  }
  std::span<const std::uint32_t> after_begin(std::uint32_t operation) const noexcept {
    return begun_.of(operation);
  }

  std::uint64_t message_count() const noexcept { return messages_; }
  /// Bytes of all sends.
  double byte_count() const noexcept { return bytes_; }

  std::string label(std::uint32_t number) const {
    return operation_label(operations_[number], rank_of_[number]);
  }

 private:
  struct Successors {
    std::vector<std::uint32_t> first, list;
    std::span<const std::uint32_t> of(std::uint32_t operation) const noexcept {
      return std::span(list).subspan(first[operation], first[operation + 1] - first[operation]);
    }
  };

  void take_operations(std::vector<RankSchedule>& ranks);
  Successors successors(const std::vector<RankSchedule>& ranks, bool begun) const;
  void refuse_cycles() const;

  std::vector<Operation> operations_;
  std::vector<std::uint32_t> first_operation_, rank_of_, predecessors_;
  Successors ended_, begun_;
  std::uint64_t messages_ = 0;
  double bytes_ = 0;
};

}  // namespace pssp
