#include "routing/repair/new_baseline.h"

#include <fmt/format.h>

namespace pssp {

NewBaseline compare_baselines(const Fabric& fabric, const ForwardingTables& before,
                              const ForwardingTables& after) {
  const TableEvaluator evaluate = evaluate_without_simulation(fabric, Objective::structured_suite,
                                                              default_structured_weight / 1000.0);
  NewBaseline baseline{evaluate(fabric, before), evaluate(fabric, after)};
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (const Lid lid : fabric.lids()) {
      if (before.at(SwitchId(s), lid) != after.at(SwitchId(s), lid)) ++baseline.entries;
    }
  }
  return baseline;
}

std::string describe(const NewBaseline& baseline) {
  return fmt::format(
      "structured slowdown S {:.2f} instead of {:.2f}, {:+.1f} % bandwidth, and change {} entries",
      baseline.after.slowdown, baseline.before.slowdown,
      100 * (baseline.after.bandwidth / baseline.before.bandwidth - 1), baseline.entries);
}

}  // namespace pssp
