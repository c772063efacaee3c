#pragma once

// Random fabrics as plain lists of nodes, cables and LIDs. Tests state the expected properties of
// an engine's tables without the Fabric object that the engine used.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fabric/builder.h"
#include "fabric/fabric.h"

namespace pssp::test {

struct PlannedNode {
  Guid guid = 0;
  bool is_switch = false;
  unsigned ports = 1;
  EndPortKind kind = EndPortKind::channel_adapter;
};

/// One end of a cable, or a port with LIDs.
struct PlannedPort {
  std::size_t node = 0;
  unsigned port = 0;
  friend auto operator<=>(const PlannedPort&, const PlannedPort&) = default;
};

struct PlannedCable {
  PlannedPort a, b;
  LinkRate rate;
};

struct PlannedLids {
  PlannedPort owner;
  unsigned first = 0, lmc = 0;
};

struct RandomPlan {
  std::vector<PlannedNode> nodes;
  std::vector<PlannedCable> cables;
  std::vector<PlannedLids> lids;
  std::string recipe;  ///< short description for messages
};

/// Draws a plan that depends only on the seed. A plan has 0 to 27 switches: a random multigraph, or
/// a mesh or torus with a few links removed. Plans include islands, parallel links, cables from a
/// switch to itself, links of different rates and ports without a cable. They include hosts with up
/// to three ports, pairs of hosts cabled to each other, aggregation nodes and routers. The LMC is 0
/// to 3, the same for all ports or not. LIDs may have gaps, and cabled ports may have no LID.
RandomPlan draw_plan(std::uint64_t seed);

/// A test draws plans with the seeds first .. first + count - 1. The environment variables
/// PSSP_PROPERTY_SEED and PSSP_PROPERTY_FABRICS override `first` and `count`.
struct PlanSeeds {
  std::uint64_t first = 1, count = 200;
};
PlanSeeds seeds_from_environment(PlanSeeds seeds = {});

/// Builds the fabric of the plan. `order` seeds the order in which nodes, cables and LIDs are
/// added.
Fabric to_fabric(const RandomPlan& plan, std::uint64_t order);

}  // namespace pssp::test
