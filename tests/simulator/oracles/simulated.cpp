#include "tests/simulator/oracles/simulated.h"

#include <fmt/format.h>

#include <stdexcept>

#include "routing/engines/engine.h"
#include "topologies/registry.h"

namespace pssp::test {

std::uint32_t RoutedNetwork::rank(std::string_view name) const {
  for (std::uint32_t rank = 0; rank < fabric.endpoints().size(); ++rank) {
    if (fabric.end_port(fabric.endpoints()[rank]).name == name) return rank;
  }
  throw std::runtime_error(fmt::format("no host {}", name));
}

StaticFlow RoutedNetwork::flow(std::string_view from, std::string_view to,
                               SimulatedTime start) const {
  StaticFlow flow;
  flow.hosts = {rank(from), rank(to)};
  flow.start = start;
  return flow;
}

StaticFlow flow_of(std::uint32_t from, std::uint32_t to, SimulatedTime start) {
  StaticFlow flow;
  flow.hosts = {from, to};
  flow.start = start;
  return flow;
}

RoutedNetwork routed(std::string_view topology, std::string_view engine) {
  Fabric fabric = make_fabric(topology);
  ForwardingTables tables = make_engine(engine, {})->route(fabric).tables;
  return {std::move(fabric), std::move(tables)};
}

RoutedNetwork thesis_mesh(unsigned size) {
  return routed(fmt::format("mesh {0}x{0} --hosts 2 --ports thesis", size), "meshdor");
}

Model thesis_model() {
  Model model;
  model.host_rate = LinkRate{4, 2000};
  model.link_rate = LinkRate{4, 8000};
  return model;
}

Model equal_links() {
  Model model;
  model.host_rate = model.link_rate = LinkRate{4, 2000};
  return model;
}

Traffic traffic_of(SimulatedTime duration, SimulatedTime warmup) {
  Traffic traffic;
  traffic.duration = duration;
  traffic.warmup = warmup;
  traffic.sample = duration / 10;
  return traffic;
}

Outcome simulate_run(const RoutedNetwork& routed, const Traffic& traffic, const Model& model,
                     const CongestionParameters* congestion, std::uint64_t seed,
                     const ServiceLevels* levels) {
  RunRequest request;
  request.seed = seed;
  return simulate(routed.fabric, routed.tables, levels, traffic, model, congestion, request);
}

std::vector<double> shares(const Outcome& outcome, const Traffic& traffic) {
  const double nanoseconds = static_cast<double>(traffic.duration - traffic.warmup) / 1e3;
  std::vector<double> found;
  for (const FlowOutcome& flow : outcome.flows) {
    found.push_back(static_cast<double>(flow.delivered_bytes) / nanoseconds);
  }
  return found;
}

}  // namespace pssp::test
