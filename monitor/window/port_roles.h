#pragma once

// What the counters of each port of a map are of.

#include <cstdint>
#include <optional>
#include <vector>

#include "fabric/fabric.h"
#include "monitor/counters/fabric_map.h"
#include "monitor/window/traffic_window.h"

namespace pssp {

class PortRoles {
 public:
  /// Of a map and its fabric. O(ports).
  PortRoles(const FabricMap& map, const Fabric& fabric);

  /// Nothing where the port has no cable, or its other end is no part of the fabric.
  const std::optional<TrafficWindow::Position>& of(std::uint32_t port) const {
    return positions_[port];
  }

 private:
  void add_switch(const FabricMap& map, const Fabric& fabric, SwitchId s);

  std::vector<std::optional<TrafficWindow::Position>> positions_;
};

}  // namespace pssp
