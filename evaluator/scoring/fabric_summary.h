#pragma once

// The size of a fabric, shown at the beginning of reports.

#include <cstddef>
#include <cstdint>

#include "fabric/fabric.h"

namespace pssp {

struct FabricSummary {
  std::size_t hosts = 0;              ///< end ports with traffic: Fabric::endpoints()
  std::size_t end_ports = 0;          ///< ports of all adapters and routers, including dead ones
  std::size_t without_lid = 0;        ///< cabled, but without traffic because they have no LID
  std::size_t aggregation_nodes = 0;  ///< end ports that belong to an aggregation node
  std::size_t routers = 0;            ///< likewise
  std::size_t switches = 0;
  std::size_t channels = 0;  ///< directed, between switches
  std::size_t links = 0;     ///< cables: between switches and to end ports
  std::size_t lids = 0;
  std::uint32_t reference_capacity = 0;  ///< Mbit/s, 0 without a known rate
};

FabricSummary summarise(const Fabric& fabric);

}  // namespace pssp
