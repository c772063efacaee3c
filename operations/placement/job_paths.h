#pragma once

// The channels that flows of one job can share, in their own numbering: the small part of the
// fabric that an order of the nodes affects.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "evaluator/flows/route_store.h"

namespace pssp {

/// Immutable; can be read by any number of threads. Does not refer to the routes.
///
/// Excludes channels that only paths of one source, or only paths to one destination, use: their
/// flows already share the link of the host. Includes them if they are slower than the host.
class JobPaths {
 public:
  static constexpr std::uint32_t no_rank = ~std::uint32_t{0};

  /// `ports[node * rails + rail]`: the rank (position in Fabric::endpoints()) of a node's rail, or
  /// no_rank if the node lacks it. Throws Error(usage) if all paths together have more than 2^32
  /// channels. O(leaf switches of the job * ports * path lengths).
  JobPaths(const RouteStore& routes, std::span<const std::uint32_t> ports, std::uint32_t rails);

  std::uint32_t node_count() const noexcept { return nodes_; }
  std::uint32_t channel_count() const noexcept { return static_cast<std::uint32_t>(cost_.size()); }
  /// By channel, and by node * rails + rail: the congestion that one flow adds.
  std::span<const double> channel_cost() const noexcept { return cost_; }
  std::span<const double> port_cost() const noexcept { return port_cost_; }

  /// Whether both nodes have the rail and there is a route.
  bool has_path(std::uint32_t from, std::uint32_t to, std::uint32_t rail) const noexcept {
    const std::optional<std::size_t> path = path_of(from, to, rail);
    return path && !blocked_[*path];
  }
  /// The channels of a path; empty if there is no path.
  std::span<const std::uint32_t> path(std::uint32_t from, std::uint32_t to,
                                      std::uint32_t rail) const noexcept {
    const std::optional<std::size_t> path = path_of(from, to, rail);
    if (!path) return {};
    return std::span(channels_).subspan(first_[*path], first_[*path + 1] - first_[*path]);
  }
  /// Pairs of leaf switch and destination without a route.
  std::uint64_t blocked_paths() const noexcept { return blocked_paths_; }

 private:
  /// Paths are ordered by leaf switch of the source, then by destination.
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
  std::vector<std::uint32_t> leaf_;   // by node * rails + rail: index of the leaf switch
  std::vector<std::uint32_t> first_;  // by path: its first channel
  std::vector<std::uint32_t> channels_;
  std::vector<bool> blocked_;  // by path
  std::vector<double> cost_, port_cost_;
  std::uint64_t blocked_paths_ = 0;
};

}  // namespace pssp
