#pragma once

// Follows one route hop by hop, as the reference for code that counts routes by trees.

#include <cstdint>
#include <optional>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp::test {

/// Channels of the route from `source` to `lid`; none if the route ends at a wrong port, ends early
/// or has a loop.
inline std::optional<std::vector<std::uint32_t>> walk(const Fabric& fabric,
                                                      const ForwardingTables& tables,
                                                      SwitchId source, Lid lid) {
  std::vector<std::uint32_t> channels;
  const Delivery delivery = fabric.delivery(lid);
  SwitchId s = source;
  while (channels.size() <= fabric.switch_count()) {
    const PortNumber port = lid <= tables.max_lid() ? tables.at(s, lid) : no_port;
    if (s == delivery.at && port == delivery.port) return channels;
    const PortTarget target = fabric.behind(s, port);
    if (target.kind != PortTarget::Kind::channel) return std::nullopt;
    channels.push_back(target.index);
    s = SwitchId(fabric.channel_head()[target.index]);
  }
  return std::nullopt;
}

}  // namespace pssp::test
