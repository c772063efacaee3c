#include "tools/kit/progress_line.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <system_error>
#include <utility>

#include "tools/kit/report.h"

namespace pssp {

void TerminalLine::show(const std::string& text) {
  if ((text.empty() && !written_) || isatty(STDERR_FILENO) == 0 || Report::is_quiet()) return;
  static_cast<void>(std::fputs(("\r\033[K" + text).c_str(), stderr));
  written_ = !text.empty();
}

ProgressLine::ProgressLine(std::string what, std::chrono::milliseconds apart)
    : what_(std::move(what)),
      on_terminal_(isatty(STDERR_FILENO) != 0),
      apart_(on_terminal_ ? std::chrono::milliseconds(200) : apart),
      start_(Clock::now()),
      next_(start_ + (on_terminal_ ? std::chrono::seconds(2) : apart)) {}

ProgressLine::~ProgressLine() {
  if (written_) static_cast<void>(std::fputs("\r\033[K", stderr));
}

void ProgressLine::update(std::uint64_t done, std::uint64_t all) {
  if (done == 0 || Report::is_quiet()) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + apart_;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double share = static_cast<double>(done) / static_cast<double>(all);
  const std::string line =
      fmt::format("{}{}: {:.0f} %, {:.0f} s left{}", on_terminal_ ? "\r\033[K" : "", what_,
                  100 * share, elapsed * (1 - share) / share, on_terminal_ ? "" : "\n");
  static_cast<void>(std::fputs(line.c_str(), stderr));
  written_ = on_terminal_;
}

StageLine::StageLine(std::string what)
    : what_(std::move(what)),
      owner_(std::this_thread::get_id()),
      start_(Clock::now()),
      stage_start_(start_) {
  if (isatty(STDERR_FILENO) == 0 || Report::is_quiet()) return;
  try {
    thread_ = std::jthread([this](const std::stop_token& stop) { keep_going(stop); });
  } catch (const std::system_error&) {
    // Work can do without a line about it.
  }
}

StageLine::~StageLine() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
  if (written_) static_cast<void>(std::fputs("\r\033[K", stderr));
}

void StageLine::update(std::string_view stage, std::optional<double> part) {
  if (!thread_.joinable() || std::this_thread::get_id() != owner_) return;
  const std::scoped_lock lock(mutex_);
  // A part that goes back is another try of the same kind.
  const bool is_new = stage != stage_ || part.value_or(1) < part_.value_or(0);
  if (is_new) stage_start_ = Clock::now();
  if (stage != stage_) stage_ = stage;
  part_ = part;
}

void StageLine::keep_going(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto never = [] { return false; };
  ended_.wait_until(lock, stop, start_ + std::chrono::seconds(2), never);
  while (!stop.stop_requested()) {
    if (!stage_.empty()) {
      static_cast<void>(std::fputs(text(Clock::now()).c_str(), stderr));
      written_ = true;
    }
    ended_.wait_for(lock, stop, std::chrono::milliseconds(200), never);
  }
}

std::string StageLine::text(Clock::time_point now) const {
  const double elapsed = std::chrono::duration<double>(now - stage_start_).count();
  const std::string begin = fmt::format("\r\033[K{}: {}: ", what_, stage_);
  if (!part_ || *part_ <= 0) return begin + fmt::format("{:.0f} s so far", elapsed);
  const double part = std::min(*part_, 1.0);
  return begin + fmt::format("{:.0f} %, {:.0f} s left", 100 * part, elapsed * (1 - part) / part);
}

}  // namespace pssp
