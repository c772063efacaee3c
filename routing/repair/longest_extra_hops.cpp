#include "routing/repair/longest_extra_hops.h"

#include <algorithm>

#include "fabric/paths/distance_matrix.h"
#include "routing/repair/stable_rerouting.h"

namespace pssp {

std::uint32_t longest_extra_hops(const Fabric& fabric, const ForwardingTables& tables) {
  const DistanceMatrix distances(fabric);
  std::uint32_t longest = 0;
  for (const Lid lid : fabric.lids()) {
    const Delivery delivery = fabric.delivery(lid);
    if (!fabric.is_endpoint_lid(lid) || !delivery.at.valid()) continue;
    const std::uint16_t* const to_root = distances.to(delivery.at);
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      std::uint32_t hops = 0;
      for (std::uint32_t at = s;
           at != delivery.at.value() && hops < to_root[s] + max_stable_extra_hops; ++hops) {
        const PortTarget target = fabric.behind(SwitchId(at), tables.at(SwitchId(at), lid));
        if (target.kind != PortTarget::Kind::channel) break;
        at = fabric.channel_head()[target.index];
      }
      if (hops > to_root[s]) longest = std::max(longest, hops - to_root[s]);
    }
  }
  return longest;
}

}  // namespace pssp
