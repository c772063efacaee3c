#pragma once

// The activity of a simulated job at each step.

#include <cstddef>
#include <cstdint>

#include "base/random.h"

namespace pssp {

/// The change of the rate of a job over time.
enum class Activity : std::uint8_t {
  constant,  ///< except for about 1 %
  phases,    ///< computes and communicates alternately, for some steps each
  drifting,  ///< rises and falls slowly
};

/// An endless series of levels, .03 .. 1 of the rate of the job; the same generator gives the same
/// series.
class ActivitySeries {
 public:
  ActivitySeries(Activity kind, RandomGenerator random);
  double next();

 private:
  double next_phase();
  double next_drift();

  Activity kind_;
  RandomGenerator random_;
  bool busy_ = false;
  double level_ = 0;
  std::size_t left_ = 0;  // steps of the phase
  double begin_ = 0, period_ = 1, wander_ = 0;
  std::size_t step_ = 0;
};

}  // namespace pssp
