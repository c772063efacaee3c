#pragma once

// What long computations tell of themselves.

#include <cstdint>
#include <functional>
#include <mutex>

namespace pssp {

/// Called now and then, from any thread but never from two at once, with the runs done so far and
/// all of them.
using Progress = std::function<void(std::uint64_t done, std::uint64_t all)>;

/// Counts what is done and passes it on, one thread at a time.
class ProgressCounter {
 public:
  ProgressCounter(const Progress& progress, std::uint64_t all) : progress_(progress), all_(all) {}

  void add(std::uint64_t runs) {
    if (!progress_) return;
    const std::scoped_lock lock(mutex_);
    done_ += runs;
    progress_(done_, all_);
  }

 private:
  const Progress& progress_;
  std::mutex mutex_;
  std::uint64_t done_ = 0;
  std::uint64_t all_;
};

}  // namespace pssp
