// The engines balance the additional LIDs without regard to the paths of other LIDs of the same
// host, and local search does not move them. So they are routed again, by two methods.

#include "routing/engines/parts/selection/plane_candidates.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "base/workers.h"
#include "routing/engines/parts/selection/worthwhile_workers.h"
#include "routing/engines/parts/trees/lid_planes.h"

namespace pssp {

std::vector<TableCandidate> with_other_planes(const Fabric& fabric, const TableCandidate& base,
                                              unsigned workers, const StopSignal& stop) {
  using Make =
      ForwardingTables (*)(const Fabric&, ForwardingTables, const PlanePaths&, const StopSignal&);
  struct Kind {
    std::string_view name;
    Make make;
  };
  constexpr std::array kinds{Kind{", other LIDs diverse", &with_diverse_planes},
                             Kind{", other LIDs turned", &with_turned_planes}};
  const PlanePaths paths{base.up_down ? &*base.up_down : nullptr};
  std::array<std::optional<TableCandidate>, kinds.size()> made;
  run_tasks(worthwhile_workers(fabric, workers), kinds.size(), [&](std::size_t i) {
    TableCandidate each(base.tried.name + std::string(kinds[i].name),
                        kinds[i].make(fabric, base.tables, paths, stop));
    each.up_down = base.up_down;
    each.tried.base_score = base.tried.base_score;
    made[i] = std::move(each);
  });
  std::vector<TableCandidate> candidates;
  candidates.reserve(made.size());
  for (std::optional<TableCandidate>& each : made) candidates.push_back(*std::move(each));
  return candidates;
}

}  // namespace pssp
