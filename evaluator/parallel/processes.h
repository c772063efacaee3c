#pragma once

// The processes of an evaluation: one, or those that mpirun launched on any number of machines,
// which exchange data through a Communicator. Each reads the input itself (agreement.h compares the
// inputs) and does a share of the runs; then all processes have all results. So all decisions based
// on results are equal.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "evaluator/parallel/communicator.h"

namespace pssp {

/// A range of run numbers.
struct Share {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// Thrown in processes that stop because another one failed, which reports the error.
struct FailedElsewhere {};

/// One object per program, made before any other thread, by the thread that calls the exchanging
/// functions. All processes must call these in the same order.
class Processes {
 public:
  /// This process alone.
  Processes() = default;
  /// One of the processes connected by the communicator; null for this process alone.
  explicit Processes(std::unique_ptr<Communicator> others);
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;
  ~Processes();

  int rank() const noexcept { return rank_; }
  int count() const noexcept { return count_; }
  /// The process that reads standard input, reports and writes files.
  bool is_first() const noexcept { return rank_ == 0; }

  /// This process' part of `all`: consecutive, in order of the ranks, of equal size to within one.
  Share share(std::uint64_t all) const noexcept;

  /// The parts of all processes, in order of their ranks, in every process.
  template <class Value>
  std::vector<Value> gather(const std::vector<Value>& part) const {
    static_assert(std::is_trivially_copyable_v<Value>);
    if (count_ == 1) return part;
    const std::vector<std::uint64_t> sizes = gather_number(part.size());
    std::uint64_t total = 0;
    for (const std::uint64_t size : sizes) total += size;
    std::vector<Value> all(total);
    others_->gather_values(part.data(), sizes, sizeof(Value), all.data());
    return all;
  }
  /// Elementwise sums over all processes, in every process. All vectors have the same size.
  void add_up(std::vector<std::uint64_t>& numbers) const;
  void add_up(std::map<double, std::uint64_t>& histogram) const;

  /// Runs work that can fail in all processes. If it failed, the process with the lowest rank
  /// rethrows its exception, so that it is reported once, and all others throw FailedElsewhere, so
  /// that none waits.
  template <class Work>
  auto together(Work work) {
    std::optional<decltype(work())> result;
    std::exception_ptr failure;
    try {
      result.emplace(work());
    } catch (...) {
      failure = std::current_exception();
    }
    const int failed = first_where(failure != nullptr);
    if (failed == count_) return *std::move(result);
    leave();
    if (failed == rank_) std::rethrow_exception(failure);
    throw FailedElsewhere();
  }

 private:
  /// Lowest rank where `here` is true; count() if there is none.
  int first_where(bool here) const;
  /// Leaves the communicator.
  void leave();
  std::vector<std::uint64_t> gather_number(std::uint64_t number) const;

  std::unique_ptr<Communicator> others_;  // null for a single process, and after leave()
  int rank_ = 0;
  int count_ = 1;
};

}  // namespace pssp
