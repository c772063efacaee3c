// Series are generated on demand, because the duration of the simulation is unknown. The sequence
// of random numbers depends only on the type of activity.

#include "ibsim_harness/simulated_activity.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pssp {
namespace {

constexpr double quiet_level = .03;

double unit_of(RandomGenerator& random) { return unit_interval(random()); }

}  // namespace

ActivitySeries::ActivitySeries(Activity kind, RandomGenerator random)
    : kind_(kind), random_(random) {
  if (kind_ == Activity::phases) busy_ = unit_of(random_) >= .5;  // the first phase is the opposite
  if (kind_ == Activity::drifting) {
    begin_ = 2 * std::numbers::pi * unit_of(random_);
    period_ = 15 + 25 * unit_of(random_);
  }
}

double ActivitySeries::next() {
  if (kind_ == Activity::phases) return next_phase();
  if (kind_ == Activity::drifting) return next_drift();
  return .795 + .01 * unit_of(random_);
}

double ActivitySeries::next_phase() {
  if (left_ == 0) {
    busy_ = !busy_;
    level_ = busy_ ? .6 + .4 * unit_of(random_) : quiet_level;
    left_ = 1 + random_.below(4);
  }
  --left_;
  return level_;
}

double ActivitySeries::next_drift() {
  wander_ = .9 * wander_ + .1 * (unit_of(random_) - .5);
  const double turn = 2 * std::numbers::pi * static_cast<double>(step_++) / period_;
  return std::max(.05, .6 + .35 * std::sin(begin_ + turn) + wander_);
}

}  // namespace pssp
