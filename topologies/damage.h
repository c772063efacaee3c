#pragma once

// Removes random switches and links from a plan.

#include <cstdint>

#include "topologies/cabling_plan.h"

namespace pssp {

struct Damage {
  /// This many of the switches farthest from hosts have cables only to the first half of their
  /// neighbors, in the order of addition, as if leaves had been added later than spines.
  std::uint32_t half_spines = 0;
  std::uint32_t dead_switches = 0;
  std::uint32_t dead_links = 0;  ///< links between switches, besides those of dead switches
  /// Whether damage may split the remaining switches. Otherwise, a switch or link whose loss would
  /// disconnect another switch is kept, and another one is removed instead.
  bool may_split = false;
};

/// Half spines come first, then dead switches, then dead links. Dead switches and their cables are
/// removed from the plan; the hosts of a dead leaf remain as adapters without a cable. The same
/// plan, damage and seed give the same result on every platform. Throws Error(usage) if the plan
/// has fewer candidates than requested. O((switches + links) * (dead + kept)).
void apply_damage(CablingPlan& plan, const Damage& damage, std::uint64_t seed);

}  // namespace pssp
