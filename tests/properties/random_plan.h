#pragma once

// Random fabrics as plain lists of nodes, cables and LIDs, so that what must hold for the tables of
// an engine can be said without the Fabric that the engine saw.

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
  std::string recipe;  ///< what was drawn, for messages
};

/// A pure function of the seed. 0 to 27 switches: random multigraphs, and meshes and tori with a
/// few links taken out; islands, parallel links, cables from a switch to itself, links of different
/// rates, ports without a cable; hosts with up to three ports, which may be dead or cabled to
/// another host; aggregation nodes and routers; LMC 0 to 3, the same for all ports or not; LIDs
/// with gaps, and cabled ports without any.
RandomPlan draw_plan(std::uint64_t seed);

/// Seeds first .. first + count - 1 of the plans that a test draws: PSSP_PROPERTY_FABRICS of them,
/// from PSSP_PROPERTY_SEED on.
struct PlanSeeds {
  std::uint64_t first = 1, count = 200;
};
PlanSeeds seeds_from_environment(PlanSeeds seeds = {});

/// The fabric, its nodes and cables handed over in an order that depends on `order`.
Fabric to_fabric(const RandomPlan& plan, std::uint64_t order);

}  // namespace pssp::test
