#include "evaluator/metrics/virtual_lanes.h"

#include "fabric/tables/destination_tree.h"
#include "routing/deadlock/lane_assignment.h"
#include "routing/verify/lanes.h"

// Whether one lane suffices costs no more than verification, so it is always determined: by
// verify() for the routes between end ports, and for routes to and from switches by the proof of an
// assignment with all routes on lane 0. Only if it does not, an assignment is searched for.

namespace pssp {
namespace {

bool is_one_lane_enough(const Fabric& fabric, const ForwardingTables& tables) {
  ServiceLevels levels(fabric.switch_count(), tables.max_lid());
  DestinationTree tree(fabric);
  for (const Lid lid : fabric.lids()) {
    if (!fabric.delivery(lid).at.valid() || lid > levels.max_lid()) continue;
    tree.read(tables, lid);
    for (const std::uint32_t s : tree.upstream_first()) levels.set(SwitchId(s), lid, 0);
  }
  return verify_lanes(fabric, tables, levels).cycle.empty();
}

}  // namespace

std::optional<unsigned> lanes_needed(const Fabric& fabric, const ForwardingTables& tables,
                                     const VerifyReport& report, const LaneNeedOptions& options) {
  if (!report.has_credit_loop() && (!options.switch_ports || is_one_lane_enough(fabric, tables))) {
    return 1;
  }
  if (!options.search) return std::nullopt;
  LaneOptions assignment;
  assignment.switch_ports = options.switch_ports;
  return assign_lanes(fabric, tables, assignment).needed;
}

std::vector<std::uint64_t> pairs_by_lane(const Fabric& fabric, const ForwardingTables& tables,
                                         const ServiceLevels& levels) {
  std::vector<std::uint64_t> pairs;
  DestinationTree tree(fabric);
  for (const Lid lid : fabric.lids()) {
    if (!fabric.is_endpoint_lid(lid) || lid > levels.max_lid()) continue;
    tree.read(tables, lid);
    for (const std::uint32_t s : tree.upstream_first()) {
      const ServiceLevel level = levels.at(SwitchId(s), lid);
      const std::uint32_t endpoints = fabric.endpoints_per_switch()[s];
      if (SwitchId(s) == fabric.delivery(lid).at || level >= service_level_count || endpoints == 0)
        continue;
      if (pairs.size() <= level) pairs.resize(level + std::size_t{1}, 0);
      pairs[level] += endpoints;
    }
  }
  return pairs;
}

}  // namespace pssp
