#pragma once

// The port of this machine, an exchange over it, and a collector: what sweeps need.

#include <memory>

#include "monitor/collector/collector.h"
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
  Collector& collector() noexcept { return collector_; }

  /// One sweep from its beginning to its end; a map must have been set. Throws
  /// Error(fabric_access).
  SnapshotPointer sweep();

 private:
  UmadPort adapter_;
  GetOnlyPort port_;
  Exchange exchange_;
  Collector collector_;
};

}  // namespace pssp
