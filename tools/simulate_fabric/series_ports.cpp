#include "tools/simulate_fabric/series_ports.h"

#include <algorithm>
#include <utility>

#include "simulator/report/flow_ports.h"
#include "simulator/traffic/glob.h"

namespace pssp {

bool is_in_series(const SimulateOptions& options, std::string_view what) {
  if (options.series_of.empty()) return what == "network" || what == "flows";
  return std::ranges::find(options.series_of, what) != options.series_of.end();
}

bool has_ports_in_series(const SimulateOptions& options) {
  return is_in_series(options, "hosts") || is_in_series(options, "links") ||
         is_in_series(options, "ports");
}

std::vector<SeriesPort> series_ports(const SimulateOptions& options, const Fabric& fabric,
                                     const Model& model) {
  std::vector<SeriesPort> ports;
  if (options.series.empty() || !has_ports_in_series(options)) return ports;
  const PortDirectory directory(fabric, model);
  const auto add = [&](std::string_view kind, std::string name, std::uint32_t port) {
    if (fits_glob(name, options.select)) ports.push_back({kind, std::move(name), port});
  };
  const auto hosts = static_cast<std::uint32_t>(fabric.endpoints().size());
  for (std::uint32_t rank = 0; is_in_series(options, "hosts") && rank < hosts; ++rank) {
    add("host", fabric.end_port(fabric.endpoints()[rank]).name, directory.to_host(rank));
  }
  const auto links = static_cast<std::uint32_t>(fabric.channel_count());
  for (std::uint32_t port = 0; is_in_series(options, "links") && port < links; ++port) {
    add("link", directory.name(port), port);
  }
  for (std::uint32_t port = 0; is_in_series(options, "ports") && port < directory.count(); ++port) {
    add("port", directory.name(port), port);
  }
  return ports;
}

}  // namespace pssp
