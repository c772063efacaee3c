#pragma once

// Ports of two sweeps in the order of importance, as text, CSV or JSON.

#include <cstdint>
#include <string>
#include <vector>

#include "tools/monitor_fabric/live_options.h"

namespace pssp {

struct PortRow {
  std::uint32_t port = 0;    ///< index into the map of the second sweep
  double out = -1, in = -1;  ///< utilization in both directions; negative: unknown
  double waiting = -1;       ///< waiting share; negative: unknown
  std::uint64_t errors = 0;  ///< sum of all errors between the sweeps
  bool idle = false;         ///< nearly no traffic, and no events
};

/// All ports with a cable, and those that should have been read; the busiest first, then by GUID
/// and port.
std::vector<PortRow> port_rows(const TwoSweeps& sweeps);

/// port_label() of the port, without control characters.
std::string port_name(const FabricMap& map, const MapPort& port);

std::string rows_text(const TwoSweeps& sweeps, const std::vector<PortRow>& rows);
std::string rows_csv(const TwoSweeps& sweeps, const std::vector<PortRow>& rows);
std::string rows_json(const TwoSweeps& sweeps, const std::vector<PortRow>& rows);
/// The cost of the sweeps, as a line.
std::string figures_text(const TwoSweeps& sweeps);

}  // namespace pssp
