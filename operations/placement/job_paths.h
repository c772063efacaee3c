#pragma once

// The channels that the nodes of one job can meet in, under a numbering of their own: a small part
// of the fabric's, and all that an order of the nodes can change.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "evaluator/flows/route_store.h"

namespace pssp {

/// Immutable; safe to read from any number of threads. Holds nothing of the routes.
///
/// A channel that all ways of one source, or all ways to one destination, have for themselves is
/// left out: flows on it have met at the host already. Where a channel is slower than the hosts it
/// stays.
class JobPaths {
 public:
  static constexpr std::uint32_t no_rank = ~std::uint32_t{0};

  /// `ports[node * rails + rail]`: the rank (position in Fabric::endpoints()) of a node's rail, or
  /// no_rank where it has none. Throws Error(usage) where all ways together have more than 2^32
  /// channels. O(leaf switches of the job * ports * path lengths).
  JobPaths(const RouteStore& routes, std::span<const std::uint32_t> ports, std::uint32_t rails);

  std::uint32_t node_count() const noexcept { return nodes_; }
  std::uint32_t channel_count() const noexcept { return static_cast<std::uint32_t>(cost_.size()); }
  /// By channel, and by node * rails + rail: what one flow adds to the congestion.
  std::span<const double> channel_cost() const noexcept { return cost_; }
  std::span<const double> port_cost() const noexcept { return port_cost_; }

  /// Whether both nodes have the rail and there is a route.
  bool has_path(std::uint32_t from, std::uint32_t to, std::uint32_t rail) const noexcept {
    const std::optional<std::size_t> path = path_of(from, to, rail);
    return path && !blocked_[*path];
  }
  /// The channels of a way; none where there is no way.
  std::span<const std::uint32_t> path(std::uint32_t from, std::uint32_t to,
                                      std::uint32_t rail) const noexcept {
    const std::optional<std::size_t> path = path_of(from, to, rail);
    if (!path) return {};
    return std::span(channels_).subspan(first_[*path], first_[*path + 1] - first_[*path]);
  }
  /// Pairs of leaf switch and destination without a route.
  std::uint64_t blocked_paths() const noexcept { return blocked_paths_; }

 private:
  /// Ways are by leaf switch of the source, then by destination.
  std::optional<std::size_t> path_of(std::uint32_t from, std::uint32_t to,
                                     std::uint32_t rail) const noexcept {
    const std::size_t rails = rails_;
    const std::uint32_t leaf = leaf_[from * rails + rail];
    if (leaf == no_rank || leaf_[to * rails + rail] == no_rank) return std::nullopt;
    return (std::size_t{leaf} * nodes_ + to) * rails + rail;
  }

  void collect(const RouteStore& routes, std::span<const std::uint32_t> ports,
               std::span<const std::uint32_t> sources);
  void leave_out_lone_channels(const RouteStore& routes,
                               std::span<const std::uint32_t> ports_of_leaf);

  std::uint32_t nodes_, rails_;
  std::vector<std::uint32_t> leaf_;   // by node * rails + rail: number of the leaf switch
  std::vector<std::uint32_t> first_;  // by way: its first channel
  std::vector<std::uint32_t> channels_;
  std::vector<bool> blocked_;  // by way
  std::vector<double> cost_, port_cost_;
  std::uint64_t blocked_paths_ = 0;
};

}  // namespace pssp
