#pragma once

// Tells for each port of a map which channel or host link its counters measure.

#include <cstdint>
#include <optional>
#include <vector>

#include "fabric/fabric.h"
#include "monitor/counters/fabric_map.h"
#include "monitor/window/traffic_window.h"

namespace pssp {

class PortRoles {
 public:
  /// `fabric` is the Fabric of `map`. O(ports).
  PortRoles(const FabricMap& map, const Fabric& fabric);

  /// Nothing if the port has no cable, or if the other end is not part of the fabric.
  const std::optional<TrafficWindow::Position>& of(std::uint32_t port) const {
    return positions_[port];
  }

 private:
  void add_switch(const FabricMap& map, const Fabric& fabric, SwitchId s);

  std::vector<std::optional<TrafficWindow::Position>> positions_;
};

}  // namespace pssp
