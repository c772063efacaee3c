#pragma once

// Runs until the mean is known well enough.

#include <cstdint>
#include <functional>
#include <vector>

#include "base/progress.h"

namespace pssp {

struct PrecisionTarget {
  /// Half the width of the 95 % interval of the mean that is wanted; > 0.
  double half_width = 0.001;
  /// Never stops before so many runs: below a few hundred a standard error is a guess.
  std::uint64_t least = 1000;
  /// Stops here, whatever the interval is. At least `least`.
  std::uint64_t most = 100'000'000;
};

/// The numbers of runs first .. first + count - 1, in order, or none at all where there is nothing
/// to run. Each must depend on its number alone.
using RunSource = std::function<std::vector<double>(std::uint64_t first, std::uint64_t count,
                                                    const Progress& progress)>;

struct PrecisionResult {
  std::vector<double> values;  ///< of runs 0 .. values.size() - 1
  double half_width = 0;       ///< that was reached; NaN without values
  bool reached = false;        ///< false: the largest number of runs ended it, or nothing ran
};

/// Runs in a few batches until 1.96 standard errors are at most the target. How many runs that
/// takes depends on their values only: not on threads, nor on time. The spread of the runs so far
/// tells how many the next batch has; `progress` gets that estimate as the number of all runs. (The
/// decision to stop looks at the data, but so rarely and after so many runs that the interval's
/// coverage is not touched.)
PrecisionResult run_until_precise(const PrecisionTarget& target, const RunSource& source,
                                  const Progress& progress = {});

}  // namespace pssp
