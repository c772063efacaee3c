#pragma once

// What the oracles of the simulator share: fabrics with routes, the thesis's links, and shares.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "simulator/run/simulation.h"

namespace pssp::test {

struct RoutedNetwork {
  Fabric fabric;
  ForwardingTables tables;

  /// By the name of the host.
  std::uint32_t rank(std::string_view name) const;
  StaticFlow flow(std::string_view from, std::string_view to, SimulatedTime start = 0) const;
};

/// Of ranks.
StaticFlow flow_of(std::uint32_t from, std::uint32_t to, SimulatedTime start = 0);
/// A specification of topologies/registry.h, and an engine.
RoutedNetwork routed(std::string_view topology, std::string_view engine);
/// NxN switches of the thesis, dimension order.
RoutedNetwork thesis_mesh(unsigned size);
/// Its links: hosts 1 GByte/s, links between switches 4 GByte/s.
Model thesis_model();
/// All links of one rate: 1 GByte/s, a byte a nanosecond.
Model equal_links();

/// Packets of 2176 bytes.
Traffic traffic_of(SimulatedTime duration, SimulatedTime warmup = 0);
Outcome simulate_run(const RoutedNetwork& routed, const Traffic& traffic, const Model& model,
                     const CongestionParameters* congestion = nullptr, std::uint64_t seed = 1,
                     const ServiceLevels* levels = nullptr);
/// Of 1 GByte/s, in the measured time; in the order of Traffic::flows.
std::vector<double> shares(const Outcome& outcome, const Traffic& traffic);

constexpr SimulatedTime microseconds(std::int64_t count) {
  return count * picoseconds_per_microsecond;
}
constexpr SimulatedTime milliseconds(std::int64_t count) {
  return count * picoseconds_per_millisecond;
}

}  // namespace pssp::test
