#pragma once

// How busy a simulated job is, step after step.

#include <cstddef>
#include <cstdint>

#include "base/random.h"

namespace pssp {

/// How a job's rate changes over time.
enum class Activity : std::uint8_t {
  constant,  ///< but for a per cent
  phases,    ///< computes and communicates in turn, some steps each
  drifting,  ///< slowly up and down
};

/// An endless series of levels, .03 .. 1 of the job's rate; the same for the same generator.
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
