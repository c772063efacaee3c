#pragma once

// Is one routing better than another, or was it luck? Compared run by run, both under the same
// traffic, so that the luck of the draw cancels out.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace pssp {

enum class Better : std::uint8_t { higher, lower };

enum class PairedVerdict : std::uint8_t {
  better,         ///< than the first, at the 5 % level of all comparisons together
  worse,          ///< likewise
  same,           ///< equal in every run
  no_difference,  ///< none that these runs show at that level
  too_few_runs,   ///< fewer than 30: nothing can be said
};

/// Of one sample against the first; differences are this minus first.
struct PairedDifference {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  std::uint64_t runs = 0;           ///< in which both have a number
  double mean = unknown;            ///< of the differences
  double standard_error = unknown;  ///< of that mean
  double lower_95 = unknown;
  double upper_95 = unknown;
  double z = unknown;  ///< mean / standard_error; infinite where all differences are one number
                       ///< other than 0
  double p = unknown;  ///< two-sided, normal approximation
  double adjusted_p = unknown;  ///< Holm's, for all comparisons with the first together
  PairedVerdict verdict = PairedVerdict::too_few_runs;
};

/// Compares each sample but the first with the first: result i belongs to sample i + 1. Number i of
/// a sample is that of run i, which has the same traffic in all samples; NaN and infinity mean that
/// the run has no number, and the run is left out of that comparison. The samples have one length.
/// O(samples * runs log runs).
///
/// The z test of the paired differences; several comparisons are corrected by Holm, "A simple
/// sequentially rejective multiple test procedure", Scand. J. Statistics 6, 1979.
std::vector<PairedDifference> compare_with_first(std::span<const std::vector<double>> samples,
                                                 Better better);

}  // namespace pssp
