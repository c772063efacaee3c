#pragma once

// The port of this machine, an exchange over it, and a collector: what sweeps need.

#include <memory>

#include "monitor/collector/collector.h"
#include "monitor/discovery/fabric_walk.h"
#include "monitor/live/fabric_options.h"
#include "wire/umad_port.h"

namespace pssp {

class FabricSession {
 public:
  /// Opens the port. `sweeps_before`: of a session that went before. Throws Error(fabric_access).
  explicit FabricSession(const FabricOptions& options, std::uint64_t sweeps_before = 0);
  FabricSession(const FabricSession&) = delete;
  FabricSession& operator=(const FabricSession&) = delete;

  GetOnlyPort& port() noexcept { return port_; }
  Exchange& exchange() noexcept { return exchange_; }
  FabricWalk& walk() noexcept { return walk_; }
  Collector& collector() noexcept { return collector_; }

  /// Walks over the fabric, or reads the topology file. Throws Error(fabric_access),
  /// Error(unreadable_input).
  DiscoveredFabric discover();

  /// One sweep from its beginning to its end; a map must have been set. Throws
  /// Error(fabric_access).
  SnapshotPointer sweep();

 private:
  UmadPort adapter_;
  GetOnlyPort port_;
  Exchange exchange_;
  FabricWalk walk_;
  Collector collector_;
  std::string topology_file_;
};

/// What a walk that is over has found. Throws Error(fabric_access) where not even our own port
/// answered.
DiscoveredFabric found_fabric(FabricWalk& walk);

}  // namespace pssp
