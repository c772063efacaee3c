#pragma once

// What users may say about deadlocks: deadlock.policy=require in opensm.conf, --set
// deadlock.spread=on to route_lft.

#include <cstdint>

#include "base/option_table.h"

namespace pssp {

enum class DeadlockPolicy : std::uint8_t {
  require,  ///< tables that can deadlock are not used
  prefer,   ///< they are used, and it is said
  ignore,   ///< no service levels
};

struct DeadlockOptions {
  DeadlockPolicy policy = DeadlockPolicy::prefer;
  /// One level for both directions between two switches (LaneOptions::reversible).
  bool reversible = false;
  /// Use all lanes, also where fewer suffice (LaneOptions::balance).
  bool spread_lanes = false;
  /// Lanes below this one are left to others, 0 .. 14.
  unsigned first_lane = 0;
  /// Search long before lanes are said not to suffice (LaneOptions::insist).
  bool insist = true;
  /// How hard to try to do with fewer lanes (LaneOptions::effort).
  unsigned effort = 1;
  /// Millions of elementary changes that one search for lanes may make; a million takes 5 to 10 ms.
  std::uint64_t budget = 400;
};

const OptionTable<DeadlockOptions>& deadlock_option_table();

}  // namespace pssp
