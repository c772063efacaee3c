#pragma once

// The tuned constants of engine `best`.
//
// Where a rule was measured, its comment states the result without the rule on 88 fabrics: the mean
// score eBB / S^.25 relative to the score with the rule, and the number of fabrics whose score fell
// by more than 1 %. The other constants were not measured one by one.

#include <array>
#include <cstddef>
#include <cstdint>

namespace pssp {

/// Weights of the structured terms in the objective of the local search. A pair of routes that
/// share a channel in a random permutation weighs 1 / hosts. All at least 0.
struct StructuredWeights {
  double shifts = 0;  ///< of two routes that share a channel in one phase of a shift pattern
  /// Of two destinations at one leaf that all hosts of another leaf reach over one channel.
  double leaves = 0;
  /// Shifts count by the hot spot penalty (ShiftCounts::hot_spots()) instead of by pairs.
  bool hot_spots = false;

  bool count() const noexcept { return shifts != 0 || leaves != 0; }
};

struct BestTuning {
  // The structured search. More weight lowers S and costs bandwidth.
  std::array<StructuredWeights, 3> of_small_fabrics{{{0.1, 0.03}, {0.1, 0.1}, {0.1, 0.2}}};
  StructuredWeights of_all_starts{0.1, 0.2};
  StructuredWeights of_best_start{0.1, 0.3};
  /// For damaged trees. Two other choices of weights: 2 and 3 fabrics worse.
  std::array<StructuredWeights, 2> of_heal{{{0.3, 0.2}, {0.1, 0.1}}};
  std::uint32_t passes = 4;  ///< more passes gain nothing
  std::uint32_t passes_of_large_fabrics = 2;
  std::uint32_t passes_without_structured_terms = 12;

  // The hot spot search. Without it: score 0.9965, 15 fabrics worse; with `hot_spots` alone: score
  // 0.9980, 9 fabrics worse.
  StructuredWeights hot_spots{0.25, 0.1, true};
  StructuredWeights light_hot_spots{0.1, 0.2, true};
  StructuredWeights heavier_hot_spots{0.5, 0.1, true};
  StructuredWeights heaviest_hot_spots{1, 0.3, true};
  double hot_spot_cost = 0.008;          ///< largest share of the bandwidth that it may cost
  double heavier_hot_spot_cost = 0.012;  ///< likewise with `heavier_hot_spots`
  double little_hot_spot_cost = 0.002;   ///< larger weights are tried only up to this cost

  // The search with one extra hop. Without it: score 0.9990, 3 fabrics worse.
  StructuredWeights extra_hops{0.05, 0.03, true};
  StructuredWeights light_extra_hops{0.03, 0.03, true};
  double extra_hop_cost = 0.02;  ///< largest share of the bandwidth that it may cost

  // Time, by the number of hosts.
  std::size_t small_fabric = 256;        ///< up to this number, all starts and weights are tried
  std::size_t large_fabric = 2000;       ///< above this number, fewer searches
  std::size_t huge_regular_tree = 5000;  ///< above this number, no searches on complete ones

  // Selection.
  double first_path_gain = 1.01;        ///< factor by which dmodk with start=first must score more
  double as_good_as_dmodk = 0.999;      ///< plain dmodk wins with this share of another score
  double position_weight = 0.1;         ///< of traffic between positions, relative to S
  double efi_share_of_slack = 1.0 / 3;  ///< share of the slack that a lower EFI alone may cost
};

inline constexpr BestTuning tuning{};

}  // namespace pssp
