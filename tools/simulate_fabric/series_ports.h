#pragma once

// The ports of a requested series.

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
  std::uint32_t port = 0;  ///< index in Outcome::ports; for a host: the port to it
};

/// Whether the series contains it; default: the network and flows.
bool is_in_series(const SimulateOptions& options, std::string_view what);
/// Whether it contains ports of any kind.
bool has_ports_in_series(const SimulateOptions& options);

/// Hosts, links between switches, then all ports, if requested and with matching names. Empty
/// without a file for a series.
std::vector<SeriesPort> series_ports(const SimulateOptions& options, const Fabric& fabric,
                                     const Model& model);

}  // namespace pssp
