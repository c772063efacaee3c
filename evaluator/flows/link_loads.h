#pragma once

// Flows on every link including those of end ports, for patterns of any kind: a host may send and
// receive any number of flows at once.

#include <cstdint>
#include <span>
#include <vector>

#include "evaluator/flows/flow_paths.h"
#include "evaluator/flows/route_store.h"

namespace pssp {

/// Whether the links between end ports and their switches can be congested.
enum class HostLinks : std::uint8_t { counted, left_out };

/// One object per thread. The store must outlive it.
class LinkLoads {
 public:
  LinkLoads(const RouteStore& routes, HostLinks host_links);

  void clear();
  /// Adds flows; flows without a route add to no link. O(path lengths).
  void add(const FlowPaths& paths);
  /// For each flow the largest congestion on its path: the number of flows over a link in the same
  /// direction, times the cost of the link (Fabric::channel_cost(), end_port_cost()). Infinity
  /// without a route; 1 for a flow over no counted link. `result` must have one element per flow.
  /// O(path lengths).
  void congestion(const FlowPaths& paths, std::span<double> result) const;

  /// Flows on each channel between switches, by ChannelId.
  std::span<const std::uint32_t> channels() const noexcept {
    return std::span(load_).first(routes_.channel_count());
  }
  /// Flows from each endpoint into the fabric, and from the fabric to it.
  std::span<const std::uint32_t> sent() const noexcept { return sent_; }
  std::span<const std::uint32_t> received() const noexcept { return received_; }

 private:
  const RouteStore& routes_;
  HostLinks host_links_;
  std::vector<std::uint32_t> load_;  // by slot
  std::vector<std::uint32_t> sent_, received_;
};

}  // namespace pssp
