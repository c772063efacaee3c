#pragma once

// Matches the nodes of a fabric to those of its plan.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "operations/cabling/cabling.h"

namespace pssp {

enum class MatchedBy : std::uint8_t { nothing, guid, name, neighbours, cable };

struct NodeMatching {
  std::vector<std::uint32_t> fabric_of;  ///< node of the fabric by node of the plan, or no_index
  std::vector<std::uint32_t> plan_of;    ///< the reverse
  std::vector<MatchedBy> how;            ///< by node of the plan
  bool guids_misled = false;             ///< both have GUIDs, but names explain the cables better
};

/// By true GUIDs; by unique names; switches by common neighbors in several waves, with fourfold
/// weight for equal ports, ignoring ties; adapters by the port at which plan and fabric have one.
/// O((nodes + cables * ports) * waves), with few waves.
NodeMatching match_nodes(const Cabling& plan, const Cabling& fabric);

}  // namespace pssp
