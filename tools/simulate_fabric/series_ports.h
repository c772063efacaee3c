#pragma once

// The ports of which a series is asked for.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/fabric.h"
#include "simulator/model.h"
#include "tools/simulate_fabric/options.h"

namespace pssp {

struct SeriesPort {
  std::string_view kind;   ///< "host", "link", "port"
  std::string name;        ///< of the host, or of the port
  std::uint32_t port = 0;  ///< number in Outcome::ports; of a host: the one that leads to it
};

/// Whether the series has it: by default the network and flows.
bool is_in_series(const SimulateOptions& options, std::string_view what);
/// Whether ports are in it, of whatever kind.
bool has_ports_in_series(const SimulateOptions& options);

/// Hosts, links between switches, then all ports, as far as they are asked for and their names fit.
/// None where there is no file for a series.
std::vector<SeriesPort> series_ports(const SimulateOptions& options, const Fabric& fabric,
                                     const Model& model);

}  // namespace pssp
