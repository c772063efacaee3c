#pragma once

// Tests whether one routing is significantly better than another. Runs are compared in pairs with
// the same traffic, so that random differences of the traffic cancel out.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace pssp {

enum class Better : std::uint8_t { higher, lower };

enum class PairedVerdict : std::uint8_t {
  better,         ///< better than the first, at the 5 % level of all comparisons together
  worse,          ///< likewise
  same,           ///< equal in every run
  no_difference,  ///< no significant difference at that level
  too_few_runs,   ///< fewer than 30: no conclusion
};

/// One sample compared with the first; differences are this minus first.
struct PairedDifference {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  std::uint64_t runs = 0;           ///< runs in which both have a value
  double mean = unknown;            ///< of the differences
  double standard_error = unknown;  ///< of that mean
  double lower_95 = unknown;
  double upper_95 = unknown;
  double z = unknown;           ///< mean / standard_error; infinite if all are equal, not 0
  double p = unknown;           ///< two-sided, normal approximation
  double adjusted_p = unknown;  ///< Holm's, for all comparisons with the first together
  PairedVerdict verdict = PairedVerdict::too_few_runs;
};

/// Compares each sample except the first with the first: result i belongs to sample i + 1. Element
/// i of a sample is the value of run i, which has the same traffic in all samples; NaN and infinity
/// mean no value, and exclude the run from that comparison. All samples have equal length.
/// O(samples * runs log runs).
///
/// Uses the z test of the paired differences; several comparisons are corrected by Holm, "A simple
/// sequentially rejective multiple test procedure", Scand. J. Statistics 6, 1979.
std::vector<PairedDifference> compare_with_first(std::span<const std::vector<double>> samples,
                                                 Better better);

}  // namespace pssp
