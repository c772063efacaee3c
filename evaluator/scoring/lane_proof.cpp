#include "evaluator/scoring/lane_proof.h"

#include <utility>

#include "evaluator/metrics/virtual_lanes.h"

namespace pssp {

AssignedLanes prove_lanes(std::string name, const Fabric& fabric, const ForwardingTables& tables,
                          const ServiceLevels& levels, const LaneVerifyOptions& options) {
  AssignedLanes lanes{std::move(name), verify_lanes(fabric, tables, levels, options),
                      pairs_by_lane(fabric, tables, levels)};
  lanes.pairs.resize(lanes.report.lanes, 0);
  return lanes;
}

}  // namespace pssp
