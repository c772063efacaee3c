#pragma once

// Contention in shifts, in which every host sends to the k-th next host at the same time.

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "routing/engines/parts/counts/route_contention.h"

namespace pssp {

/// For each channel and each k, the number of routes over the channel from a host to the k-th next
/// host. Two routes are used together in a shift exactly if their k is the same. Stencils,
/// recursive doubling and jobs consist of a few shifts each. Takes two bytes for each channel and
/// host.
class ShiftCounts {
 public:
  /// Whether the counts of this many hosts fit into 1 GiB.
  static bool is_affordable(const Fabric& fabric, std::size_t hosts);

  /// All counts 0. `hosts`: in the order of the shifts, all attached, fewer than 65536.
  ShiftCounts(const Fabric& fabric, const std::vector<EndPortId>& hosts);

  std::size_t hosts() const noexcept { return hosts_of_; }

  /// Adds the routes to `destination`, or removes them (`sign` -1). Does nothing if the end port is
  /// no host. O(hops of all routes).
  void change(const RouteTree& tree, EndPortId destination, int sign);

  /// Consecutive positions in the row of a channel, of routes that start at consecutive hosts.
  struct Positions {
    std::uint32_t first;
    std::uint32_t count;
  };
  /// Finds the positions in each row of the routes from endpoints at the `sources` (switches, each
  /// once) to `destination`, in as few ranges as possible; none if the end port is no host.
  /// O(sources log sources).
  void find_positions(std::span<const std::uint32_t> sources, EndPortId destination,
                      std::vector<Positions>& positions) const;

  /// Adds a route over the channel at each of these positions, or removes it (`sign` -1).
  void change(std::uint32_t channel, std::span<const Positions> positions, int sign);

  /// Sum over the routes at these positions of the other routes on `channel` that are used at the
  /// same time, relative to the capacity of the channel. `counted`: whether the counts include the
  /// routes at these positions. O(endpoints).
  double met(std::uint32_t channel, std::span<const Positions> positions,
             bool counted = false) const;

  /// The increase of hot_spots() by these routes; if they are `counted`, the decrease without them.
  /// More than 255 other routes at a position count as 255. O(endpoints).
  double hot_spot_increase(std::uint32_t channel, std::span<const Positions> positions,
                           bool counted = false) const;

  /// As met(), with each number of routes to the fourth power: the busiest channel determines the
  /// time of a shift, so if other routes are evenly distributed, a few hot spots matter more than
  /// many pairs. Numbers above 255 count as 255.
  double hot_spot_cost(std::uint32_t channel, std::span<const Positions> positions,
                       bool counted = false) const;

  /// Pairs of routes that use a channel at the same time, relative to its capacity. O(counts).
  double pairs() const;
  /// The hot spot penalty: one sixth of the cube of the number of routes that use a channel at the
  /// same time, relative to its capacity. The most congested channel determines the time of a
  /// shift, but hardly changes the number of pairs. O(counts).
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
