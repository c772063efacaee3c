#pragma once

// The tuned constants of engine `best`.
//
// Every comment states what the constant trades, and what it cost to switch its rule off: the mean
// score eBB / S^.25 relative to the score with the rule, on 88 fabrics, and how many of these got
// worse by more than 1 %.

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
  /// On damaged trees: 2 and 3 fabrics worse with other weights.
  std::array<StructuredWeights, 2> of_heal{{{0.3, 0.2}, {0.1, 0.1}}};
  std::uint32_t passes = 4;  ///< more passes gain nothing
  std::uint32_t passes_of_large_fabrics = 2;
  std::uint32_t passes_without_structured_terms = 12;

  // The hot spot search. All of it: .9965, 15 fabrics worse; only the first weight: .9980, 9.
  StructuredWeights hot_spots{0.25, 0.1, true};
  StructuredWeights light_hot_spots{0.1, 0.2, true};
  StructuredWeights heavier_hot_spots{0.5, 0.1, true};
  StructuredWeights heaviest_hot_spots{1, 0.3, true};
  double hot_spot_cost = 0.008;          ///< largest share of the bandwidth that it may cost
  double heavier_hot_spot_cost = 0.012;  ///< likewise with `heavier_hot_spots`
  double little_hot_spot_cost = 0.002;   ///< a search that costs more is not repeated with more

  // The search with one extra hop. All of it: .9990, 3 fabrics worse.
  StructuredWeights extra_hops{0.05, 0.03, true};
  StructuredWeights light_extra_hops{0.03, 0.03, true};
  double extra_hop_cost = 0.02;  ///< largest share of the bandwidth that it may cost

  // Time. Fabrics of at most so many hosts get more searches than others, and of more than so many
  // hosts fewer.
  std::size_t small_fabric = 256;
  std::size_t large_fabric = 2000;
  std::size_t huge_regular_tree = 5000;  ///< gets no local search at all

  // Selection.
  double first_path_gain = 1.01;        ///< by which dmodk with start=first must score more
  double as_good_as_dmodk = 0.999;      ///< share of a score up to which plain dmodk is kept
  double position_weight = 0.1;         ///< of traffic between positions, relative to S
  double efi_share_of_slack = 1.0 / 3;  ///< of the slack, that a lower EFI alone may cost
};

inline constexpr BestTuning tuning{};

}  // namespace pssp
