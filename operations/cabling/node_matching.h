#pragma once

// Which node of a fabric is which node of its plan.

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
  bool guids_misled = false;             ///< both have GUIDs, and names explain the cables better
};

/// By GUID, where both have true ones; by names that no other node of the same side has; switches
/// by the neighbours that they have in common, those at the same ports counting fourfold, wave
/// after wave, a tie being left alone; adapters by the port at which plan and fabric have one.
/// O((nodes + cables * ports)
/// * waves); waves are few.
NodeMatching match_nodes(const Cabling& plan, const Cabling& fabric);

}  // namespace pssp
