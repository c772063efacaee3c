#pragma once

// Compares several forwarding tables of one fabric, as data.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evaluator/metrics/paired_comparison.h"
#include "evaluator/metrics/statistics.h"
#include "evaluator/scoring/evaluation.h"

namespace pssp {

/// The data of one set of tables.
struct ComparedTables {
  std::string name;  ///< usually the file's
  SampleStatistics metric{};
  double edge_forwarding_index = 0;
  double index_bound = 0;  ///< lower bound for all tables of the fabric
  double mean_hops = 0;
  std::uint32_t most_hops = 0;
  bool usable = false;
  LidUse lids{};                      ///< LIDs of striped flows
  std::optional<bool> credit_loop{};  ///< none: not searched for
  std::optional<unsigned> lanes{};    ///< as Evaluation::lanes
  PairedDifference difference{};      ///< from the first; meaningless in the first itself
};

struct Comparison {
  std::string metric = "effective bisection bandwidth";
  Better better = Better::higher;
  std::uint64_t seed = 0;
  std::vector<ComparedTables> tables;  ///< in the given order
};

/// Sets all members except the metric and the differences.
ComparedTables compared_tables(std::string name, const Evaluation& evaluation);

/// Sets the metric and the differences: `values[i]` belong to tables[i], run by run with the same
/// traffic (compare_with_first()).
void compare(Comparison& comparison, const std::vector<std::vector<double>>& values);

}  // namespace pssp
