#pragma once

// The orders of switches that define up and down in up*/down* routing (Schroeder et al.: "Autonet:
// A High-Speed, Self-Configuring Local Area Network Using Point-to-Point Links", IEEE Journal on
// Selected Areas in Communications, 1991).

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// All switches of a fabric, the highest first. A channel goes up if its head is higher than its
/// tail; a route is legal if it consists of any number of up channels, followed by any number of
/// down channels. The up channels by ascending tail, followed by the down channels by descending
/// tail, are an order in which each legal route ascends: their channel dependency graph has no
/// cycle (Dally, Seitz: "Deadlock-Free Message Routing in Multiprocessor Interconnection Networks",
/// 1987), so one virtual lane is deadlock-free.
///
/// An order is usable if on each island every switch except the highest has a higher neighbor: then
/// any two switches have a legal path, at least through the highest. Two switches without a higher
/// neighbor could not reach each other.
class UpDownOrder {
 public:
  UpDownOrder() = default;
  /// `highest_first`: each SwitchId of a fabric once.
  explicit UpDownOrder(std::vector<std::uint32_t> highest_first);

  std::span<const std::uint32_t> highest_first() const noexcept { return highest_first_; }
  bool is_above(std::uint32_t a, std::uint32_t b) const noexcept { return place_[a] < place_[b]; }

  /// Moves switch s right above `other` if it is below it, else right below it. O(switches).
  void move_past(std::uint32_t s, std::uint32_t other);

  friend bool operator==(const UpDownOrder&, const UpDownOrder&) = default;

 private:
  std::vector<std::uint32_t> highest_first_;
  std::vector<std::uint32_t> place_;  // in highest_first_, by SwitchId
};

/// Whether no neighbor of switch s is above it. O(channels of s).
bool is_summit(const Fabric& fabric, const UpDownOrder& order, std::uint32_t s);

/// The usable order nearest to `highest_first`: beginning with the highest switch of each island,
/// always appends the highest neighbor of ordered switches. A usable order of a fabric with one
/// island is unchanged. Must contain each SwitchId once, and may contain further ones, of a larger
/// fabric, which are ignored. O(channels * log channels).
UpDownOrder usable_order(const Fabric& fabric, std::span<const std::uint32_t> highest_first);

/// How an order grows from a root: the next switch is always a neighbor of an ordered one, so that
/// the order is usable. Ties are broken by fewer hops to all endpoints, then by lower SwitchId.
enum class Growth : std::uint8_t {
  central_first,  ///< any neighbor; in fat trees: tops before lower levels, except one leaf
  near_first,     ///< breadth first, as in Autonet
  /// Depth first (Sancho, Robles, Duato: "A New Methodology to Compute Deadlock-Free Routing Tables
  /// for Irregular Networks", CANPC 2000).
  deep_first,
};

/// Grows usable orders.
class OrderGrower {
 public:
  /// On each island up to `roots` switches, at least one, as roots: the most central one, then
  /// always the one farthest from the previous ones; of equals, the least central. O((switches with
  /// endpoints + roots) * channels).
  OrderGrower(const Fabric& fabric, unsigned roots);

  /// Largest number of roots of an island.
  std::size_t root_count() const noexcept { return root_count_; }
  /// The order grown from root number `root` of each island (its last root if it has fewer).
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
