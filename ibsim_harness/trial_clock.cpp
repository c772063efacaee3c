#include "ibsim_harness/trial_clock.h"

#include <fmt/format.h>

#include <algorithm>

namespace pssp {
namespace {

long seconds_since(Clock::time_point time) {
  return static_cast<long>(
      std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - time).count());
}

}  // namespace

std::string duration_text(long seconds) {
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 3600) return fmt::format("{} min {:02} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {:02} min", seconds / 3600, seconds % 3600 / 60);
}

void TrialClock::begin(std::string what) {
  if (has_begun_) ++done_;
  has_begun_ = true;
  what_ = std::move(what);
  begun_ = Clock::now();
}

std::string TrialClock::text() const {
  const long in_all = seconds_since(started_);
  std::string left;
  if (done_ > 0) {
    const long before = in_all - seconds();
    const long rest =
        before * static_cast<long>(all_ - done_) / static_cast<long>(done_) - seconds();
    left = ", about " + duration_text(std::max(rest, 0L)) + " left";
  }
  return fmt::format("[{}/{}] {}: {}; {} in total{}", done_ + 1, all_, what_,
                     duration_text(seconds()), duration_text(in_all), left);
}

long TrialClock::seconds() const { return seconds_since(begun_); }

}  // namespace pssp
