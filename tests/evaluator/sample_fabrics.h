#pragma once

// Small fabrics with tables, made without any engine.

#include <cstdint>

#include "evaluator/flows/pattern_simulation.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp::test {

struct RoutedFabric {
  Fabric fabric;
  ForwardingTables tables;
};

/// Figure 1 of "Multistage switches are not crossbars" (Cluster 2008): 16 hosts on four switches of
/// eight ports, two more on top, two cables between each lower and each upper one. Everything for
/// host n (1 .. 16) goes up and comes down by cable n mod 4. `slow_uplink`: cable 1 of the first
/// leaf has half the rate of all others.
RoutedFabric cluster_2008_figure_1(bool slow_uplink = false);

/// Rank in Fabric::endpoints() of host n (1 .. 16) of that figure.
std::uint32_t figure_1_rank(std::uint32_t host);

/// `switches` in a row with one host each; every route takes the only way.
RoutedFabric chain(std::uint32_t switches);

/// Three switches in a ring with one host each, every route clockwise: a credit loop.
RoutedFabric clockwise_ring();

/// One switch with some hosts.
RoutedFabric single_switch(std::uint32_t hosts);

/// Adds tables of shortest paths, ties broken at random.
RoutedFabric route_along_shortest_paths(Fabric fabric, std::uint64_t seed = 1);

enum class RandomTables { shortest_paths, noise };

/// Random switches, cables (parallel ones too), rates and hosts, one host without a cable and an
/// aggregation node. Tables are random shortest paths, or random port numbers: loops, dead ports
/// and all.
RoutedFabric random_fabric(std::uint64_t seed, RandomTables kind, bool equal_rates);

/// Of a fabric on which nothing is sent.
CableLoads no_loads(const Fabric& fabric);

}  // namespace pssp::test
