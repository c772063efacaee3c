#pragma once

// How sure a mean is: of the samples of one run, which depend on their neighbours, and of several
// runs, which do not. Law, "Simulation Modeling and Analysis", 5th edition, section 9.5.3.

#include <cstddef>
#include <span>

namespace pssp {

struct MeanEstimate {
  double mean = 0;
  double standard_error = 0;          ///< of the mean; 0 where it is not known
  double lower_95 = 0, upper_95 = 0;  ///< both the mean where there are fewer than two values
  std::size_t values = 0;             ///< batches or runs that it comes from
};

/// Of values that do not depend on each other.
MeanEstimate mean_of(std::span<const double> values);

/// Of successive samples of one run: they are put together in up to 20 batches, whose means hardly
/// depend on each other. Samples that do not fill a batch are left out of the interval, not of the
/// mean. O(samples).
MeanEstimate mean_of_batches(std::span<const double> samples);

/// Student's 97.5 % quantile. degrees >= 1.
double student_975(std::size_t degrees);

}  // namespace pssp
