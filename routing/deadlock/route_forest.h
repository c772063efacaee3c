#pragma once

// The distinct routes of forwarding tables, as sequences of channels.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/no_index.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// The routes to one switch form a tree by their common ends: the route from a switch is its first
/// channel, followed by the route from the next switch. A node stands for one distinct route of at
/// least one channel, its parent for the same route without the first channel. Routes to several
/// LIDs at a switch share their nodes if they use the same channels.
///
/// A dependency is a pair of channels that a route uses one right after the other; dependencies are
/// numbered by ascending (first channel, second channel).
class RouteForest {
 public:
  static constexpr std::uint32_t none = no_index;

  /// Contains the routes between end ports of all kinds and, with `switch_ports`, the routes
  /// between end ports and the management ports of switches in both directions. Routes that do not
  /// arrive are left out. O(LIDs * switches).
  RouteForest(const Fabric& fabric, const ForwardingTables& tables, bool switch_ports);

  std::size_t node_count() const noexcept { return parent_.size(); }
  /// By node: the node of the rest of the route; none for a route of one channel. Parents precede
  /// their children.
  std::span<const std::uint32_t> parent() const noexcept { return parent_; }
  /// By node: the dependency between the route's first two channels; none for a route of one
  /// channel.
  std::span<const std::uint32_t> dependency() const noexcept { return dependency_; }
  /// By node: the switch where the route starts. Computed on demand, because it is rarely needed.
  /// `fabric` must be the fabric of the routes. O(nodes + routes).
  std::vector<std::uint32_t> sources(const Fabric& fabric) const;
  /// By node: pairs of an endpoint at the source and a LID of an endpoint that take this route.
  std::span<const std::uint32_t> pairs() const noexcept { return pairs_; }
  /// By node: whether the route itself is used (otherwise it is only the rest of other routes).
  std::span<const std::uint8_t> is_used() const noexcept { return is_used_; }
  /// The nodes of routes to switch d are first_node()[d] .. first_node()[d + 1] - 1.
  std::span<const std::uint32_t> first_node() const noexcept { return first_node_; }

  /// Memory in use.
  std::uint64_t bytes() const noexcept {
    constexpr std::uint64_t word = sizeof(std::uint32_t);
    return word * (node_of_.size() + 3 * parent_.size() + first_node_.size() +
                   2 * first_channel_.size()) +
           is_used_.size();
  }

  std::size_t dependency_count() const noexcept { return first_channel_.size(); }
  /// First and second channel of each dependency.
  std::span<const std::uint32_t> first_channel() const noexcept { return first_channel_; }
  std::span<const std::uint32_t> second_channel() const noexcept { return second_channel_; }

  /// Calls visit(switch, LID, node) for each used route; node is none for a route without channels
  /// (source and destination at one switch). Visits blocks of LIDs in the order of Fabric::lids(),
  /// and each block switch by switch, which suits writers of tables.
  template <class Visit>
  void for_each_route(Visit&& visit) const {
    constexpr std::size_t lids_at_once = 64;
    for (std::size_t begin = 0; begin < lids_.size(); begin += lids_at_once) {
      const std::size_t end = std::min(begin + lids_at_once, lids_.size());
      for (std::uint32_t s = 0; s < switches_; ++s) {
        for (std::size_t row = begin; row < end; ++row) {
          const std::uint32_t node = node_of_[row * switches_ + s];
          if (node != no_route) visit(SwitchId(s), lids_[row], node);
        }
      }
    }
  }

 private:
  friend class RouteForestBuilder;
  static constexpr std::uint32_t no_route = none - 1;

  std::size_t switches_ = 0;
  std::vector<Lid> lids_;
  std::vector<std::uint32_t> node_of_;  // LID-major
  std::vector<std::uint32_t> parent_, dependency_, pairs_, first_node_;
  std::vector<std::uint8_t> is_used_;
  std::vector<std::uint32_t> first_channel_, second_channel_;
};

}  // namespace pssp
