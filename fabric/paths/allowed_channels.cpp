#include "fabric/paths/allowed_channels.h"

#include "fabric/paths/hop_distances.h"
#include "fabric/paths/up_down_distances.h"

namespace pssp {

AllowedChannels::AllowedChannels(const Fabric& fabric) : width_(fabric.channel_count()) {
  gather(fabric, HopDistances(fabric));
}

AllowedChannels::AllowedChannels(const Fabric& fabric, const UpDownOrder& order)
    : width_(fabric.channel_count()) {
  gather(fabric, UpDownDistances(fabric, order));
}

template <class Distances>
void AllowedChannels::gather(const Fabric& fabric, Distances distances) {
  const auto first = fabric.first_channel();
  allowed_.assign(fabric.switch_count() * width_, false);
  for (std::uint32_t root = 0; root < fabric.switch_count(); ++root) {
    if (fabric.endpoints_per_switch()[root] == 0) continue;
    distances.search(SwitchId(root));
    for (const std::uint32_t s : distances.order().subspan(1)) {
      for (std::uint32_t c = first[s]; c < first[s + 1]; ++c) {
        if (distances.is_next_hop(s, c)) allowed_[root * width_ + c] = true;
      }
    }
  }
}

bool AllowedChannels::allow(const Fabric& fabric, const ForwardingTables& tables) const {
  for (const Lid lid : fabric.lids()) {
    if (!fabric.is_endpoint_lid(lid)) continue;
    const SwitchId root = fabric.delivery(lid).at;
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      const PortTarget target = fabric.behind(SwitchId(s), tables.at(SwitchId(s), lid));
      if (target.kind == PortTarget::Kind::channel && !allow(root, target.index)) return false;
    }
  }
  return true;
}

}  // namespace pssp
