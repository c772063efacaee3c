#pragma once

// The options of deadlock avoidance: deadlock.policy=require in opensm.conf, --set
// deadlock.spread=on of route_lft.

#include <cstdint>

#include "base/option_table.h"

namespace pssp {

enum class DeadlockPolicy : std::uint8_t {
  require,  ///< reject tables that can deadlock
  prefer,   ///< use them, and log a warning
  ignore,   ///< no service levels
};

struct DeadlockOptions {
  DeadlockPolicy policy = DeadlockPolicy::prefer;
  /// Use one level for both directions between two switches (LaneOptions::reversible).
  bool reversible = false;
  /// Use all lanes, even if fewer suffice (LaneOptions::balance).
  bool spread_lanes = false;
  /// Lanes below this one stay free for other traffic, 0 .. 14.
  unsigned first_lane = 0;
  /// Search longer before reporting too few lanes (LaneOptions::insist).
  bool insist = true;
  /// Search effort for fewer lanes (LaneOptions::effort).
  unsigned effort = 1;
  /// Limit of one search in millions of elementary changes; a million takes 5 to 10 ms.
  std::uint64_t budget = 400;
};

const OptionTable<DeadlockOptions>& deadlock_option_table();

}  // namespace pssp
