// Values of a channel are means over the seeds of the first kind of run. A congestion tree is
// visible from its leaves: waiting channels lead to its root, which is busy and does not wait.

#include <fmt/format.h>

#include <algorithm>

#include "evaluator/pictures/fabric_map.h"
#include "tools/simulate_fabric/outputs.h"

namespace pssp {
namespace {

double channel_load(const SimulateReport& report, const PortDirectory& ports, std::uint32_t channel,
                    const SimulatedRun& run) {
  const PortOutcome& port = run.outcome.ports[channel];
  if (report.options.map_of == "queue") return port.max_queue_bytes;
  const SimulatedTime warmup = report.simulation.traffic.front().traffic.warmup;
  const auto measured =
      static_cast<double>(std::max<SimulatedTime>(1, run.outcome.simulated - warmup));
  constexpr double percent = 100;
  if (report.options.map_of == "waiting") {
    return percent * static_cast<double>(port.blocked) / measured;
  }
  return percent * static_cast<double>(port.sent_bytes) /
         (ports.rate(channel) * measured / double{picoseconds_per_second});
}

}  // namespace

std::string congestion_map(const SimulateReport& report, const std::string& file) {
  const Simulation& simulation = report.simulation;
  const SimulatedTables& tables = simulation.tables_of(simulation.variants.front());
  const PortDirectory ports(tables.fabric, simulation.model);
  FabricPicture map;
  map.title =
      fmt::format("{}, {}: {}", tables.name,
                  simulation.input.scenario != nullptr ? report.options.scenario
                                                       : simulation.input.traffic.front().name,
                  simulation.variants.front().name);
  map.load_name = report.options.map_of == "waiting" ? "% of the time without credits"
                  : report.options.map_of == "used"  ? "% of the link capacity"
                                                     : "longest queue, bytes";
  map.palette = Palette::share;
  map.loads.resize(tables.fabric.channel_count());
  for (std::uint32_t channel = 0; channel < map.loads.size(); ++channel) {
    double sum = 0;
    double count = 0;
    for (const SimulatedRun& run : simulation.runs.front()) {
      if (!run.began) continue;
      sum += channel_load(report, ports, channel, run);
      ++count;
    }
    map.loads[channel] = count == 0 ? 0 : sum / count;
  }
  return drawn_map(tables.fabric, map, file);
}

}  // namespace pssp
