#pragma once

// The options of stable rerouting, in opensm.conf (stable.max_extra_hops=1) and route_lft.

#include "base/option_table.h"
#include "routing/repair/stable_rerouting.h"

namespace pssp {

const OptionTable<StableOptions>& stable_option_table();

}  // namespace pssp
