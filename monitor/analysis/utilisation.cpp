#include "monitor/analysis/utilisation.h"

namespace pssp {

std::vector<ChannelUse> channel_uses(const FabricMap& map,
                                     const std::vector<PortDifference>& differences,
                                     const UseLimits& limits) {
  std::vector<ChannelUse> uses;
  for (std::uint32_t p = 0; p < map.ports.size(); ++p) {
    if (map.ports[p].peer == MapPort::no_peer) continue;
    ChannelUse use;
    use.port = p;
    use.utilisation = utilisation(differences[p], Counter::transmit_bytes, map.ports[p].rate);
    use.waiting_share = waiting_share(differences[p]);
    use.hot = use.utilisation > limits.hot;
    use.held_up = use.waiting_share > limits.held_up;
    uses.push_back(use);
  }
  return uses;
}

}  // namespace pssp
