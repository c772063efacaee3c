#pragma once

// How often routes would meet in shifts, where everybody sends to the k-th next at once.

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "routing/engines/parts/counts/route_contention.h"

namespace pssp {

/// For each channel and each k, the routes over the channel from a host to the k-th next one. Two
/// routes are on at once in a shift exactly if their k is the same; and stencils, recursive
/// doubling and jobs are made of a few shifts each. Two bytes a channel and host.
class ShiftCounts {
 public:
  /// Whether the counts of so many hosts fit into 1 GiB.
  static bool is_affordable(const Fabric& fabric, std::size_t hosts);

  /// All counts 0. `hosts`: in the order that shifts go by, attached all, fewer than 65536.
  ShiftCounts(const Fabric& fabric, const std::vector<EndPortId>& hosts);

  std::size_t hosts() const noexcept { return hosts_of_; }

  /// Adds the routes to `destination`, or takes them out again (`sign` -1). Does nothing where the
  /// end port is no host. O(hops of all routes).
  void change(const RouteTree& tree, EndPortId destination, int sign);

  /// Neighbouring places in a channel's row: of routes that begin at neighbouring hosts.
  struct Positions {
    std::uint32_t first;
    std::uint32_t count;
  };
  /// Where in each row the counts stand of routes from endpoints at the `sources` (switches, none
  /// twice) to `destination`; as few as can be. None where the end port is no host.
  /// O(sources log sources).
  void find_positions(std::span<const std::uint32_t> sources, EndPortId destination,
                      std::vector<Positions>& positions) const;

  /// Adds a route over the channel at each of these places, or takes one out again (`sign` -1).
  void change(std::uint32_t channel, std::span<const Positions> positions, int sign);

  /// Routes on `channel` that are on at the same time as one from an endpoint at those places would
  /// be, relative to the channel's capacity, summed over these endpoints. `counted`: whether these
  /// routes are in the counts there already; no one meets himself. O(endpoints).
  double met(std::uint32_t channel, std::span<const Positions> positions,
             bool counted = false) const;

  /// By how much hot_spots() grows with these routes; where they are `counted`, by how much it
  /// would fall without them. Other routes count up to 255 at a place. O(endpoints).
  double hot_spot_increase(std::uint32_t channel, std::span<const Positions> positions,
                           bool counted = false) const;

  /// The same with each of these numbers to the fourth power: a shift lasts as long as its busiest
  /// channel, so where the others are in step few congested places count more than many pairs.
  /// Numbers count up to 255.
  double hot_spot_cost(std::uint32_t channel, std::span<const Positions> positions,
                       bool counted = false) const;

  /// Pairs of routes that are on at once on a channel, relative to its capacity. O(counts).
  double pairs() const;
  /// The sixth part of the cubes of the routes that are on at once on a channel, relative to its
  /// capacity: a shift lasts as long as its most congested channel, which pairs average away.
  /// O(counts).
  double hot_spots() const;

 private:
  static constexpr std::uint32_t no_host = 0xFFFFFFFF;
  /// Hosts of one switch that follow each other in the order.
  struct Run {
    std::uint32_t first;
    std::uint32_t count;
  };

  std::span<const Run> runs_at(std::uint32_t s) const {
    return std::span(runs_).subspan(first_run_[s], first_run_[s + 1] - first_run_[s]);
  }
  /// Calls visit(place in a channel's row, how many) for the hosts of a run, once or twice.
  template <class Visitor>
  void for_positions(const Run& run, std::uint32_t destination, const Visitor& visit) const;

  const Fabric& fabric_;
  std::size_t hosts_of_;
  std::vector<std::uint32_t> position_;   // in the order, by EndPortId
  std::vector<std::uint32_t> first_run_;  // by SwitchId
  std::vector<Run> runs_;
  std::vector<std::uint16_t> counts_;  // by ChannelId and source - destination, modulo the hosts
};

}  // namespace pssp
