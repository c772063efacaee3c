#include "tools/kit/progress_line.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

namespace pssp {

ProgressLine::ProgressLine(std::string what)
    : what_(std::move(what)),
      on_terminal_(isatty(STDERR_FILENO) != 0),
      start_(Clock::now()),
      next_(start_ + std::chrono::seconds(2)) {}

ProgressLine::~ProgressLine() {
  if (written_) static_cast<void>(std::fputs("\r\033[K", stderr));
}

void ProgressLine::update(std::uint64_t done, std::uint64_t all) {
  if (!on_terminal_ || done == 0) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double share = static_cast<double>(done) / static_cast<double>(all);
  const std::string line = fmt::format("\r\033[K{}: {:.0f} %, {:.0f} s left", what_, 100 * share,
                                       elapsed * (1 - share) / share);
  static_cast<void>(std::fputs(line.c_str(), stderr));
  written_ = true;
}

}  // namespace pssp
