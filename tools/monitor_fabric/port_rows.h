#pragma once

// Ports of two sweeps, in the order in which people want to see them, as text, CSV or JSON.

#include <cstdint>
#include <string>
#include <vector>

#include "tools/monitor_fabric/live_options.h"

namespace pssp {

struct PortRow {
  std::uint32_t port = 0;    ///< index into the map of the second sweep
  double out = -1, in = -1;  ///< utilisation of both directions; below 0: unknown
  double waiting = -1;       ///< waiting share; below 0: unknown
  std::uint64_t errors = 0;  ///< that counted between the sweeps, of all kinds
  bool idle = false;         ///< nothing to speak of went over it, and nothing happened
};

/// All ports that have a cable, or should have been read; the busiest first, then by GUID and port.
std::vector<PortRow> port_rows(const TwoSweeps& sweeps);

/// "NAME[PORT]", clean.
std::string port_name(const FabricMap& map, const MapPort& port);

std::string rows_text(const TwoSweeps& sweeps, const std::vector<PortRow>& rows);
std::string rows_csv(const TwoSweeps& sweeps, const std::vector<PortRow>& rows);
std::string rows_json(const TwoSweeps& sweeps, const std::vector<PortRow>& rows);
/// What the sweeps cost, a line.
std::string figures_text(const TwoSweeps& sweeps);

}  // namespace pssp
