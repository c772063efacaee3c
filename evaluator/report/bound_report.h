#pragma once

// What the reports say about the lower bound on the edge forwarding index (docs/bounds.md).

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "routing/bounds/index_bound.h"

namespace pssp {

/// The smaller side of a cut, for people.
struct CutSide {
  std::vector<SwitchId> switches;  ///< ascending; empty where the cut is
  std::size_t others = 0;          ///< switches of the same island on the other side
};

CutSide smaller_side(const Fabric& fabric, const Cut& cut);

/// Largest index / bound; 1 where there is nothing to carry.
double index_over_bound(double index, const IndexBound& bound);

/// What decides the bound, in words: "by the links between 2 switches and the 14 others: A, B".
/// Names at most `names` switches.
std::string describe_bound(const Fabric& fabric, const IndexBound& bound, std::size_t names);

/// `routes_per_channel`, `switches`, `others`, `names` (at most so many); null without a cut.
nlohmann::ordered_json cut_to_json(const Fabric& fabric, const Cut& cut, std::size_t names);

}  // namespace pssp
