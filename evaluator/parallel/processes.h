#pragma once

// The processes that work on one evaluation: one, or those that mpirun launched on any number of
// machines, which then talk through a Communicator. Each reads the input for itself (agreement.h
// compares what they have read) and does a share of the runs; then all have all results. So
// everything that is decided from the results is decided alike in all of them.

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

/// Thrown in processes that stop because another one failed, which says why.
struct FailedElsewhere {};

/// One object a program, made before any other thread, by the thread that calls the functions that
/// exchange. Those must be called by all processes in the same order.
class Processes {
 public:
  /// This process alone.
  Processes() = default;
  /// One of those that the communicator connects; null for this process alone.
  explicit Processes(std::unique_ptr<Communicator> others);
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;
  ~Processes();

  int rank() const noexcept { return rank_; }
  int count() const noexcept { return count_; }
  /// The one that reads standard input, reports and writes files.
  bool is_first() const noexcept { return rank_ == 0; }

  /// This process' part of `all`: consecutive, in order of the ranks, equal to within one.
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

  /// Does what may fail, in all processes. Where it failed, the process of the lowest rank throws
  /// its exception on, so that it is reported once, and all others throw FailedElsewhere; no one is
  /// left waiting.
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
  /// Lowest rank where `here` is true; count() when it is true nowhere.
  int first_where(bool here) const;
  /// Says goodbye to the others.
  void leave();
  std::vector<std::uint64_t> gather_number(std::uint64_t number) const;

  std::unique_ptr<Communicator> others_;  // null for a process alone, and after leave()
  int rank_ = 0;
  int count_ = 1;
};

}  // namespace pssp
