#pragma once

// Progress reports of long computations.

#include <cstdint>
#include <functional>
#include <mutex>

namespace pssp {

/// Called periodically, from any thread but never concurrently, with the number of finished runs
/// and of all runs.
using Progress = std::function<void(std::uint64_t done, std::uint64_t all)>;

/// Counts finished runs and reports them, one thread at a time.
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
