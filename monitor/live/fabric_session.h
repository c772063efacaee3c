#pragma once

// The port of this machine, an exchange over it, and a collector: what sweeps need.

#include <memory>
#include <optional>

#include "monitor/collector/collector.h"
#include "monitor/discovery/fabric_walk.h"
#include "monitor/live/fabric_options.h"
#include "wire/fabric_port.h"

namespace pssp {

/// What a walk that is over has found, nodes by their labels where they have one. Throws
/// Error(fabric_access) where not even our own port answered.
DiscoveredFabric found_fabric(FabricWalk& walk, const NodeNameMap& labels);

/// Replaces the descriptions of nodes that have a label.
void label_nodes(const NodeNameMap& labels, FabricMap& map);

/// The fabric of the topology file with its labels; nothing where none is named. To be asked for
/// before a session begins: a file that is of no use is said without an adapter, too. Throws
/// Error(unreadable_input).
std::optional<DiscoveredFabric> fabric_of_file(const FabricOptions& options);

class FabricSession {
 public:
  /// Opens the port. `sweeps_before`: of a session that went before. Throws Error(fabric_access).
  explicit FabricSession(const FabricOptions& options, std::uint64_t sweeps_before = 0);
  FabricSession(const FabricSession&) = delete;
  FabricSession& operator=(const FabricSession&) = delete;
  /// Waits until what is on its way is answered or given up, at most a try's time-out and a second.
  ~FabricSession();

  GetOnlyPort& port() noexcept { return port_; }
  Exchange& exchange() noexcept { return exchange_; }
  FabricWalk& walk() noexcept { return walk_; }
  Collector& collector() noexcept { return collector_; }

  /// For maps from now on.
  void set_labels(const NodeNameMap& labels) { labels_ = labels; }
  /// The map of a walk that is over. Throws as found_fabric().
  DiscoveredFabric end_walk() { return found_fabric(walk_, labels_); }

  /// Walks over the fabric. Throws Error(fabric_access).
  DiscoveredFabric discover();

  /// One sweep from its beginning to its end; a map must have been set. Throws
  /// Error(fabric_access).
  SnapshotPointer sweep();

 private:
  FabricPort adapter_;
  GetOnlyPort port_;
  Exchange exchange_;
  FabricWalk walk_;
  Collector collector_;
  NodeNameMap labels_;
};

}  // namespace pssp
