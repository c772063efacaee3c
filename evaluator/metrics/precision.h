#pragma once

// Runs until the mean is known with the requested precision.

#include <cstdint>
#include <functional>
#include <vector>

#include "base/progress.h"

namespace pssp {

struct PrecisionTarget {
  /// Target for half the width of the 95 % interval of the mean; > 0.
  double half_width = 0.001;
  /// Minimum number of runs: below a few hundred, a standard error is unreliable.
  std::uint64_t least = 1000;
  /// Maximum number of runs, regardless of the interval. At least `least`.
  std::uint64_t most = 100'000'000;
};

/// The values of runs first .. first + count - 1, in order, or empty if there is nothing to run.
/// Each must depend only on its number.
using RunSource = std::function<std::vector<double>(std::uint64_t first, std::uint64_t count,
                                                    const Progress& progress)>;

struct PrecisionResult {
  std::vector<double> values;  ///< of runs 0 .. values.size() - 1
  double half_width = 0;       ///< final value; NaN without values
  bool reached = false;        ///< false: the maximum was reached, or nothing ran
};

/// Runs in a few batches until 1.96 standard errors are at most the target. The number of runs
/// depends only on their values, not on threads or time. The spread so far determines the size of
/// the next batch; `progress` gets the estimated total number of runs. (The decision to stop
/// depends on the data, but so rarely and after so many runs that the coverage of the interval is
/// not affected.)
PrecisionResult run_until_precise(const PrecisionTarget& target, const RunSource& source,
                                  const Progress& progress = {});

}  // namespace pssp
