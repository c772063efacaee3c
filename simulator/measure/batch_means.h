#pragma once

// Confidence intervals of means: of the dependent samples of one run, and of several independent
// runs. Law, "Simulation Modeling and Analysis", 5th edition, section 9.5.3.

#include <cstddef>
#include <span>

namespace pssp {

struct MeanEstimate {
  double mean = 0;
  double standard_error = 0;          ///< of the mean; 0: unknown
  double lower_95 = 0, upper_95 = 0;  ///< both equal the mean if there are fewer than two values
  std::size_t values = 0;             ///< number of batches or runs
};

/// For independent values.
MeanEstimate mean_of(std::span<const double> values);

/// For successive samples of one run, grouped into up to 20 batches whose means are nearly
/// independent. Samples that do not fill a batch count for the mean, but not for the interval.
/// O(samples).
MeanEstimate mean_of_batches(std::span<const double> samples);

/// Student's 97.5 % quantile. degrees >= 1.
double student_975(std::size_t degrees);

}  // namespace pssp
