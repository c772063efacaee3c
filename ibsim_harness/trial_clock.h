#pragma once

// How far a series of trials is, in words.

#include <cstddef>
#include <string>

#include "ibsim_harness/process.h"

namespace pssp {

class TrialClock {
 public:
  explicit TrialClock(std::size_t all) : all_(all), started_(Clock::now()) {}

  /// The next trial begins.
  void begin(std::string what);
  /// "[3/16] lash: 12 s; 40 s in all, about 2 min 10 s left". The others are taken to last as long
  /// as those so far, on average.
  std::string text() const;
  /// Whole seconds of the trial under way.
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
