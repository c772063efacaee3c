#include "evaluator/scoring/comparison.h"

#include <cmath>
#include <utility>

namespace pssp {

ComparedTables compared_tables(std::string name, const Evaluation& evaluation) {
  ComparedTables tables;
  tables.name = std::move(name);
  tables.edge_forwarding_index = evaluation.index.max;
  tables.index_bound = evaluation.bound.value;
  tables.mean_hops = evaluation.hops.mean;
  tables.most_hops = evaluation.hops.max;
  tables.lids = evaluation.options.lids;
  tables.usable = evaluation.verify.usable();
  if (evaluation.options.verify.credit_loops) {
    tables.credit_loop = evaluation.verify.has_credit_loop();
  }
  tables.lanes = evaluation.lanes;
  return tables;
}

void compare(Comparison& comparison, const std::vector<std::vector<double>>& values) {
  const std::vector<PairedDifference> differences = compare_with_first(values, comparison.better);
  for (std::size_t i = 0; i < comparison.tables.size(); ++i) {
    std::vector<double> finite = values[i];
    std::erase_if(finite, [](double value) { return !std::isfinite(value); });
    comparison.tables[i].metric = describe_sample(finite);
    if (i != 0) comparison.tables[i].difference = differences[i - 1];
  }
}

}  // namespace pssp
