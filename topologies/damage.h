#pragma once

// Takes random switches and links out of a plan.

#include <cstdint>

#include "topologies/cabling_plan.h"

namespace pssp {

struct Damage {
  /// Of the switches farthest from hosts so many have cables only to the first half of their
  /// neighbours, by the order of drawing: as where leaves were added later than spines.
  std::uint32_t half_spines = 0;
  std::uint32_t dead_switches = 0;
  std::uint32_t dead_links = 0;  ///< switch-to-switch links, besides those of dead switches
  /// Whether the switches that are left may fall apart. If not, a switch or link whose loss would
  /// cut off another switch is spared and another one taken in its place.
  bool may_split = false;
};

/// Half spines come first, then dead switches, then dead links. Dead switches are gone from the
/// plan with all their cables; the hosts of a dead leaf stay as adapters without a cable, as they
/// would stand in the machine room. The same plan, damage and seed give the same result on every
/// platform. Throws Error(usage) when there is not so much to take. O((switches + links) * (dead +
/// spared)).
void apply_damage(CablingPlan& plan, const Damage& damage, std::uint64_t seed);

}  // namespace pssp
