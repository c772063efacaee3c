#include "fabric/tables/service_levels.h"

namespace pssp {

ServiceLevels level_zero(const ForwardingTables& tables) {
  ServiceLevels levels(tables.switch_count(), tables.max_lid());
  for (std::uint32_t s = 0; s < tables.switch_count(); ++s) {
    for (unsigned lid = 1; lid <= tables.max_lid(); ++lid) {
      if (tables.at(SwitchId(s), static_cast<Lid>(lid)) != no_port)
        levels.set(SwitchId(s), static_cast<Lid>(lid), 0);
    }
  }
  return levels;
}

}  // namespace pssp
