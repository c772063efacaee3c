#pragma once

// Helpers for the oracles of the simulator: routed fabrics, the link rates of the thesis, and
// shares.

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

  /// Rank of the host with this name.
  std::uint32_t rank(std::string_view name) const;
  StaticFlow flow(std::string_view from, std::string_view to, SimulatedTime start = 0) const;
};

/// A flow between two ranks.
StaticFlow flow_of(std::uint32_t from, std::uint32_t to, SimulatedTime start = 0);
/// `topology`: a specification of topologies/registry.h; `engine`: name of a routing engine.
RoutedNetwork routed(std::string_view topology, std::string_view engine);
/// The `size` x `size` mesh of the thesis with dimension-order routing.
RoutedNetwork thesis_mesh(unsigned size);
/// Link rates of the thesis: 1 GByte/s for hosts, 4 GByte/s between switches.
Model thesis_model();
/// All links have a rate of 1 GByte/s, one byte per nanosecond.
Model equal_links();

/// Traffic with ten samples and without flows; the default packet size is 2176 bytes.
Traffic traffic_of(SimulatedTime duration, SimulatedTime warmup = 0);
Outcome simulate_run(const RoutedNetwork& routed, const Traffic& traffic, const Model& model,
                     const CongestionParameters* congestion = nullptr, std::uint64_t seed = 1,
                     const ServiceLevels* levels = nullptr);
/// Rates in units of 1 GByte/s during the measured time, in the order of Traffic::flows.
std::vector<double> shares(const Outcome& outcome, const Traffic& traffic);

constexpr SimulatedTime microseconds(std::int64_t count) {
  return count * picoseconds_per_microsecond;
}
constexpr SimulatedTime milliseconds(std::int64_t count) {
  return count * picoseconds_per_millisecond;
}

}  // namespace pssp::test
