#pragma once

// Several forwarding tables of one fabric side by side, as data.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evaluator/metrics/paired_comparison.h"
#include "evaluator/metrics/statistics.h"
#include "evaluator/scoring/evaluation.h"

namespace pssp {

/// What the table says of one of them.
struct ComparedTables {
  std::string name;  ///< the file's, as a rule
  SampleStatistics metric{};
  double edge_forwarding_index = 0;
  double index_bound = 0;  ///< no tables of the fabric have a lower index
  double mean_hops = 0;
  std::uint32_t most_hops = 0;
  bool usable = false;
  LidUse lids{};                      ///< that flows are striped over
  std::optional<bool> credit_loop{};  ///< nothing: not searched for
  std::optional<unsigned> lanes{};    ///< as Evaluation::lanes
  PairedDifference difference{};      ///< against the first; meaningless in the first itself
};

struct Comparison {
  std::string metric = "effective bisection bandwidth";
  Better better = Better::higher;
  std::uint64_t seed = 0;
  std::vector<ComparedTables> tables;  ///< as many as were given, in their order
};

/// All but the metric and the differences.
ComparedTables compared_tables(std::string name, const Evaluation& evaluation);

/// Fills in the metric and the differences: `values[i]` belong to tables[i], run by run under the
/// same traffic (compare_with_first()).
void compare(Comparison& comparison, const std::vector<std::vector<double>>& values);

}  // namespace pssp
