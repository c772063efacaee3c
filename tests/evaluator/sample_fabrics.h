#pragma once

// Small fabrics with forwarding tables, generated without routing engines.

#include <cstdint>

#include "evaluator/flows/pattern_simulation.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp::test {

struct RoutedFabric {
  Fabric fabric;
  ForwardingTables tables;
};

/// Figure 1 of "Multistage switches are not crossbars" (Cluster 2008): 16 hosts on four leaves of
/// eight ports, two upper switches, two cables between each leaf and each upper switch. Traffic to
/// host n (1 .. 16) uses cable n mod 4 up and down. `slow_uplink`: cable 1 of the first leaf has
/// half the rate of all other cables.
RoutedFabric cluster_2008_figure_1(bool slow_uplink = false);

/// Rank in Fabric::endpoints() of host n (1 .. 16) of the figure.
std::uint32_t figure_1_rank(std::uint32_t host);

/// `switches` in a row with one host each; there is only one path for each route.
RoutedFabric chain(std::uint32_t switches);

/// Three switches in a ring with one host each. All routes go clockwise, which causes a credit
/// loop.
RoutedFabric clockwise_ring();

/// One switch with `hosts` hosts.
RoutedFabric single_switch(std::uint32_t hosts);

/// Adds tables of shortest paths; ties are broken at random.
RoutedFabric route_along_shortest_paths(Fabric fabric, std::uint64_t seed = 1);

enum class RandomTables { shortest_paths, noise };

/// A fabric with random switches, cables (also parallel), rates and hosts, one host without a cable
/// and an aggregation node. Tables are random shortest paths; with `noise`, one in eight entries is
/// a random port, which causes loops and dead ends.
RoutedFabric random_fabric(std::uint64_t seed, RandomTables kind, bool equal_rates);

/// Loads of a fabric without traffic.
CableLoads no_loads(const Fabric& fabric);

}  // namespace pssp::test
