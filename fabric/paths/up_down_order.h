#pragma once

// Which way is up: the orders of switches that up*/down* routing (Schroeder et al.: "Autonet: A
// High-Speed, Self-Configuring Local Area Network Using Point-to-Point Links", IEEE Journal on
// Selected Areas in Communications, 1991) is made from.

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// All switches of a fabric, the highest first. A channel goes up when its head is higher than its
/// tail; a route is legal when it goes up any number of times, none included, and then down any
/// number of times. The channels that go up, by ascending tail, and then those that go down, by
/// descending tail, are an order in which each legal route ascends: their channel dependency graph
/// has no cycle (Dally, Seitz: "Deadlock-Free Message Routing in Multiprocessor Interconnection
/// Networks", 1987), so one virtual lane is free of deadlocks.
///
/// An order is usable when on each island every switch but the highest has a higher neighbour: then
/// there is a legal path between any two, by the highest if by no other. Two switches without a
/// higher neighbour could not reach each other.
class UpDownOrder {
 public:
  UpDownOrder() = default;
  /// `highest_first`: each SwitchId of a fabric once.
  explicit UpDownOrder(std::vector<std::uint32_t> highest_first);

  std::span<const std::uint32_t> highest_first() const noexcept { return highest_first_; }
  bool is_above(std::uint32_t a, std::uint32_t b) const noexcept { return place_[a] < place_[b]; }

  /// Puts switch s right above `other` if it is below it, else right below it. O(switches).
  void move_past(std::uint32_t s, std::uint32_t other);

  friend bool operator==(const UpDownOrder&, const UpDownOrder&) = default;

 private:
  std::vector<std::uint32_t> highest_first_;
  std::vector<std::uint32_t> place_;  // in highest_first_, by SwitchId
};

/// True when no neighbour of switch s is above it. O(channels of s).
bool is_summit(const Fabric& fabric, const UpDownOrder& order, std::uint32_t s);

/// The usable order that is nearest to `highest_first`: from the highest switch of each island
/// always the highest neighbour of those that are ordered. Where that is usable already, on a
/// fabric of one island, it is the same. Each SwitchId is there once, and there may be others, of a
/// larger fabric, which are left out. O(channels * log channels).
UpDownOrder usable_order(const Fabric& fabric, std::span<const std::uint32_t> highest_first);

/// How an order grows from a root: the next switch is always a neighbour of one that is ordered
/// already, so that the order is usable. Of equals the one with fewer hops to all endpoints is
/// next, then that of the lower SwitchId.
enum class Growth : std::uint8_t {
  central_first,  ///< any neighbour; fat trees: the top, but for one leaf, before what is below
  near_first,     ///< breadth first, as Autonet does it
  /// Depth first (Sancho, Robles, Duato: "A New Methodology to Compute Deadlock-Free Routing Tables
  /// for Irregular Networks", CANPC 2000).
  deep_first,
};

/// Grows usable orders.
class OrderGrower {
 public:
  /// On each island up to `roots` switches, at least one, to grow orders from: the most central
  /// one, then always that which is farthest from those before it; of equals the least central.
  /// O((switches with endpoints + roots) * channels).
  OrderGrower(const Fabric& fabric, unsigned roots);

  /// Roots that there are on the island with the most.
  std::size_t root_count() const noexcept { return root_count_; }
  /// The order grown from root number `root` of each island, its last if it has fewer.
  /// O(channels * log channels).
  UpDownOrder grow(std::size_t root, Growth growth) const;

 private:
  void choose_roots(const std::vector<std::uint32_t>& island, std::size_t count);
  void append(std::uint32_t root, Growth growth, std::vector<std::uint32_t>& order) const;

  const Fabric& fabric_;
  std::vector<std::uint64_t> hops_;  // to all endpoints of the island, summed; by SwitchId
  std::vector<std::vector<std::uint32_t>> roots_;  // by island
  std::size_t root_count_ = 1;
};

}  // namespace pssp
