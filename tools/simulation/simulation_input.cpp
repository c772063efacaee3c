// Traffic is generated for each seed, since patterns and random sets depend on it; ranks are the
// same hosts for all tables, whose fabrics have the same hosts in the same order.

#include "tools/simulation/simulation_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/file_io.h"
#include "base/installation.h"
#include "fabric/input/fabric_input.h"
#include "simulator/report/flow_ports.h"
#include "simulator/traffic/pattern_traffic.h"
#include "simulator/values.h"

namespace pssp {
namespace {

SimulatedTables to_tables(std::string name, FabricSources sources) {
  require_tables(sources.tables.has_value(), name);
  FabricInput read = to_fabric_input(std::move(sources));
  return {std::move(name), std::move(read.fabric), *std::move(read.tables),
          std::move(read.warnings)};
}

void read_tables(const SourceOptions& options, SimulationInput& input) {
  const std::vector<std::filesystem::path> paths(options.files.begin(), options.files.end());
  FabricSources sources = read_fabric_sources(paths);
  std::optional<TopologyFile> topology;
  if (!options.compared.empty()) topology = sources.topology;
  input.tables.push_back(to_tables(options.files.front(), std::move(sources)));
  for (const std::string& name : options.compared) {
    const std::filesystem::path path(name);
    FabricSources compared = read_fabric_sources({&path, 1});
    if (!compared.topology) compared.topology = topology;
    input.tables.push_back(to_tables(name, std::move(compared)));
    require_same_hosts(input.tables.front().name, input.tables.front().fabric,
                       input.tables.back().name, input.tables.back().fabric);
  }
}

void read_scenario(const SourceOptions& options, SimulationInput& input) {
  if (!options.compared.empty()) {
    throw Error(ErrorKind::usage,
                "--compare does not work with --scenario; expected tables and a topology");
  }
  input.scenario = &find_scenario(options.scenario);
  const std::filesystem::path folder =
      installation_of(std::filesystem::read_symlink("/proc/self/exe")) / "share" / "opensm-pssp" /
      "scenarios";
  const std::filesystem::path traffic = folder / (options.scenario + ".traffic");
  const std::filesystem::path reference = folder / (options.scenario + ".reference");
  input.traffic.push_back({traffic.string(), read_file(traffic, largest_traffic_file)});
  input.reference = parse_reference(read_file(reference), reference.string());
  ScenarioFabric made = make_scenario_fabric(*input.scenario);
  input.tables.push_back(
      {std::string(input.scenario->engine), std::move(made.fabric), std::move(made.tables), {}});
}

std::string built_in_name(const SourceOptions& options) {
  if (options.bisect) return "bisect";
  if (options.uniform) return "uniform";
  return options.incast ? fmt::format("incast of {}", *options.incast) : options.pattern;
}

/// Traffic from an option.
TrafficFile built_in(const SourceOptions& options, const Fabric& fabric, std::uint64_t seed) {
  TrafficFile file;
  const auto hosts = static_cast<std::uint32_t>(fabric.endpoints().size());
  if (hosts < 2) return file;
  if (options.incast) {
    file.traffic.flows = incast(hosts, *options.incast, seed);
  } else if (options.uniform) {
    UniformTraffic uniform;
    uniform.senders.resize(hosts);
    std::iota(uniform.senders.begin(), uniform.senders.end(), 0U);
    uniform.destinations = uniform.senders;
    file.traffic.uniform.push_back(std::move(uniform));
  } else {
    const std::string pattern = options.bisect ? "bisect" : options.pattern;
    RoundTraffic rounds;
    rounds.bytes = options.bytes;
    rounds.label = pattern;
    rounds.rounds = pattern_rounds(pattern, random_rank_order(hosts, seed), seed);
    file.traffic.rounds.push_back(std::move(rounds));
  }
  return file;
}

/// A pattern runs until it is done, with a time limit: a thousand times the time in which a host
/// link can carry the traffic of the busiest host.
void set_pattern_times(const Fabric& fabric, const Model& model, TrafficFile& file) {
  const PortDirectory ports(fabric, model);
  const auto hosts = static_cast<std::uint32_t>(fabric.endpoints().size());
  double slowest = ports.rate(ports.from_host(0));
  for (std::uint32_t rank = 1; rank < hosts; ++rank) {
    slowest = std::min(slowest, ports.rate(ports.from_host(rank)));
  }
  const auto bytes = static_cast<double>(busiest_host_bytes(file.traffic.rounds.front(), hosts));
  constexpr double patience = 1000;
  constexpr double samples = 100;
  const double least = std::max(1.0, bytes / slowest * double{picoseconds_per_second});
  file.times.duration =
      static_cast<SimulatedTime>(std::min(patience * least, static_cast<double>(longest_time)));
  file.times.warmup = 0;
  file.times.sample = static_cast<SimulatedTime>(std::max(1.0, least / samples));
}

}  // namespace

SimulationInput read_simulation_input(const SourceOptions& options) {
  SimulationInput input;
  if (!options.scenario.empty()) {
    read_scenario(options, input);
  } else {
    read_tables(options, input);
    for (const std::string& file : options.traffic) {
      input.traffic.push_back({file, read_file(file, largest_traffic_file)});
    }
    if (options.traffic.empty()) input.traffic.push_back({built_in_name(options), std::nullopt});
  }
  static_cast<LevelFiles&>(input) = read_level_files(options, input.tables.front().fabric);
  return input;
}

TrafficFile traffic_for(const SourceOptions& options, const SimulationInput& input,
                        std::uint64_t seed, std::size_t source) {
  const Fabric& fabric = input.tables.front().fabric;
  const auto& [name, text] = input.traffic.at(source);
  TrafficFile file = text ? parse_traffic(*text, name, fabric, seed, from_anywhere, options.times,
                                          model_for(options, input, {}).host_rate)
                          : built_in(options, fabric, seed);
  const Traffic& sent = file.traffic;
  if (text && sent.flows.empty() && sent.uniform.empty() && sent.rounds.empty() &&
      sent.trace.empty()) {
    throw Error(
        ErrorKind::unreadable_input,
        fmt::format("{}: no traffic; expected a flow, victim, uniform, pattern or trace statement",
                    name));
  }
  if (options.packet_bytes) file.traffic.packet_bytes = *options.packet_bytes;
  if (!text && !file.traffic.rounds.empty()) {
    set_pattern_times(fabric, model_for(options, input, file), file);
  }
  // With a shorter duration than in the file, samples are those of the shorter time; a scenario's
  // stay.
  set_times(file.traffic, options.times.or_else(file.times));
  return file;
}

Model model_for(const SourceOptions& options, const SimulationInput& input,
                const TrafficFile& traffic) {
  return model_of(options, input, traffic.model);
}

}  // namespace pssp
