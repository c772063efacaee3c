#pragma once

// The progress of a series of trials, as text.

#include <cstddef>
#include <string>

#include "ibsim_harness/process.h"

namespace pssp {

class TrialClock {
 public:
  explicit TrialClock(std::size_t all) : all_(all), started_(Clock::now()) {}

  /// Starts the next trial.
  void begin(std::string what);
  /// "[3/16] lash: 12 s; 40 s in all, about 2 min 10 s left". The estimate assumes that the
  /// remaining trials take as long as the average so far.
  std::string text() const;
  /// Whole seconds of the current trial.
  long seconds() const;

 private:
  std::size_t all_, done_ = 0;
  bool has_begun_ = false;
  std::string what_;
  Clock::time_point started_, begun_;
};

/// "12 s", "2 min 05 s", "1 h 02 min"
std::string duration_text(long seconds);

}  // namespace pssp
