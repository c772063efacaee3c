#pragma once

// A line on the terminal that says how far a long computation is.

#include <chrono>
#include <cstdint>
#include <string>

namespace pssp {

/// Writes "WHAT: 40 %, 12 s left" to stderr and keeps overwriting it, only if stderr is a terminal
/// and the work takes more than two seconds. Not for use by two threads at once.
class ProgressLine {
 public:
  explicit ProgressLine(std::string what);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  /// Wipes the line.
  ~ProgressLine();

  void update(std::uint64_t done, std::uint64_t all);

 private:
  using Clock = std::chrono::steady_clock;

  std::string what_;
  bool on_terminal_;
  bool written_ = false;
  Clock::time_point start_, next_;
};

}  // namespace pssp
