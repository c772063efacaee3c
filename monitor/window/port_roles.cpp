// The counters of a switch port refer to the cable at that port. A port of the map is therefore
// found by GUID and number, and the other end of its cable in the Fabric, which contains no cables
// without a far end.

#include "monitor/window/port_roles.h"

namespace pssp {

PortRoles::PortRoles(const FabricMap& map, const Fabric& fabric) : positions_(map.ports.size()) {
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) add_switch(map, fabric, SwitchId(s));
  for (std::uint32_t e = 0; e < fabric.end_port_count(); ++e) {
    const EndPort& port = fabric.end_port(EndPortId(e));
    const auto at = map.find_port(port.node_guid, port.port);
    if (!at || !port.attached.valid()) continue;
    positions_[*at] = TrafficWindow::Position{TrafficWindow::Position::Kind::from_host, e};
  }
}

void PortRoles::add_switch(const FabricMap& map, const Fabric& fabric, SwitchId s) {
  const Switch& each = fabric.switch_at(s);
  for (unsigned p = 1; p <= each.ports; ++p) {
    const auto number = static_cast<PortNumber>(p);
    const auto at = map.find_port(each.guid, number);
    const PortTarget behind = fabric.behind(s, number);
    if (!at) continue;
    if (behind.kind == PortTarget::Kind::channel) {
      positions_[*at] =
          TrafficWindow::Position{TrafficWindow::Position::Kind::channel, behind.index};
    } else if (behind.kind == PortTarget::Kind::end_port) {
      positions_[*at] =
          TrafficWindow::Position{TrafficWindow::Position::Kind::to_host, behind.index};
    }
  }
}

}  // namespace pssp
