#pragma once

// The port of this host, an exchange over it, a walk and a collector: everything that sweeps need.

#include <memory>
#include <optional>

#include "monitor/collector/collector.h"
#include "monitor/discovery/fabric_walk.h"
#include "monitor/live/fabric_options.h"
#include "wire/fabric_port.h"

namespace pssp {

/// The result of a finished walk, with labels as names of nodes. Throws Error(fabric_access) if not
/// even the port of this program answered.
DiscoveredFabric found_fabric(FabricWalk& walk, const NodeNameMap& labels);

/// Replaces the descriptions of nodes that have a label.
void label_nodes(const NodeNameMap& labels, FabricMap& map);

/// The fabric of the topology file with its labels; nullopt if there is no topology file. Call it
/// before a session begins, so that an invalid file is also reported without an adapter. Throws
/// Error(unreadable_input).
std::optional<DiscoveredFabric> fabric_of_file(const FabricOptions& options);

class FabricSession {
 public:
  /// Opens the port. `sweeps_before`: number of sweeps of the previous session. Throws
  /// Error(fabric_access).
  explicit FabricSession(const FabricOptions& options, std::uint64_t sweeps_before = 0);
  FabricSession(const FabricSession&) = delete;
  FabricSession& operator=(const FabricSession&) = delete;
  /// Waits until outstanding requests are answered or have timed out: at most the timeout of one
  /// try plus a second.
  ~FabricSession();

  GetOnlyPort& port() noexcept { return port_; }
  Exchange& exchange() noexcept { return exchange_; }
  FabricWalk& walk() noexcept { return walk_; }
  Collector& collector() noexcept { return collector_; }

  /// Sets the labels for future maps.
  void set_labels(const NodeNameMap& labels) { labels_ = labels; }
  /// The map of a finished walk. Throws the errors of found_fabric().
  DiscoveredFabric end_walk() { return found_fabric(walk_, labels_); }

  /// Walks over the fabric. Throws Error(fabric_access).
  DiscoveredFabric discover();

  /// One complete sweep; a map must be set. Throws Error(fabric_access).
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
