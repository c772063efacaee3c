#include "routing/repair/new_home.h"

#include <fmt/format.h>

namespace pssp {

NewHome look_at_new_home(const Fabric& fabric, const ForwardingTables& before,
                         const ForwardingTables& after) {
  const TableJudge judge =
      judge_without_simulation(fabric, Objective::portfolio, default_structured_weight / 1000.0);
  NewHome home{judge(fabric, before), judge(fabric, after)};
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (const Lid lid : fabric.lids()) {
      if (before.at(SwitchId(s), lid) != after.at(SwitchId(s), lid)) ++home.entries;
    }
  }
  return home;
}

std::string describe(const NewHome& home) {
  return fmt::format(
      "structured slowdown S {:.2f} instead of {:.2f}, {:+.1f} % bandwidth, and change {} entries",
      home.after.slowdown, home.before.slowdown,
      100 * (home.after.bandwidth / home.before.bandwidth - 1), home.entries);
}

}  // namespace pssp
