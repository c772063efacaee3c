#pragma once

// A line on the terminal that says how far a long computation is.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace pssp {

/// A line of the caller's own words, overwritten by the next; only if stderr is a terminal. Wiped
/// in the end.
class TerminalLine {
 public:
  TerminalLine() = default;
  TerminalLine(const TerminalLine&) = delete;
  TerminalLine& operator=(const TerminalLine&) = delete;
  ~TerminalLine() { show({}); }

  /// Nothing: the line is wiped.
  void show(const std::string& text);

 private:
  bool written_ = false;
};

/// Writes "WHAT: 40 %, 12 s left" to stderr: on a terminal, where the work takes more than two
/// seconds, a line that the next one overwrites; elsewhere (a file, the log of a batch job) one a
/// minute. Not for use by two threads at once.
class ProgressLine {
 public:
  /// `apart`: what lines are apart where there is no terminal.
  explicit ProgressLine(std::string what,
                        std::chrono::milliseconds apart = std::chrono::minutes(1));
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
  std::chrono::milliseconds apart_;
  Clock::time_point start_, next_;
};

/// On a terminal the same for work in stages: "WHAT: STAGE: 40 %, 12 s left", where the time is
/// that of the stage, or "WHAT: STAGE: 3 s so far" where no one knows how much of it there is. A
/// thread of its own keeps the line going while a stage says nothing; there is none where stderr is
/// no terminal.
class StageLine {
 public:
  explicit StageLine(std::string what);
  StageLine(const StageLine&) = delete;
  StageLine& operator=(const StageLine&) = delete;
  /// Wipes the line.
  ~StageLine();

  /// May be called from any thread; only what the one that made this object says is shown, since
  /// its part of the work is one after the other. Costs some 50 ns.
  void update(std::string_view stage, std::optional<double> part = {});

 private:
  using Clock = std::chrono::steady_clock;

  void keep_going(const std::stop_token& stop);
  std::string text(Clock::time_point now) const;

  std::string what_;
  std::thread::id owner_;
  Clock::time_point start_;
  std::mutex mutex_;  // of what follows
  std::condition_variable_any ended_;
  std::string stage_;
  std::optional<double> part_;
  Clock::time_point stage_start_;
  bool written_ = false;
  std::jthread thread_;  // the last: it uses the others
};

}  // namespace pssp
