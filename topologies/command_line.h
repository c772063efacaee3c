#pragma once

// The arguments of make_topo, for the tool and for specifications in a string alike.

#include <cstdint>
#include <string>

#include "fabric/builder.h"
#include "topologies/damage.h"
#include "topologies/family.h"

namespace CLI {
class App;
}

namespace pssp {

/// A topology with all that was asked for. One object collects one command line.
class TopologyRequest {
 public:
  TopologyRequest() = default;
  TopologyRequest(const TopologyRequest&) = delete;
  TopologyRequest& operator=(const TopologyRequest&) = delete;

  /// Adds one command a family to `app`, which then refers to this object.
  void declare(CLI::App& app);

  /// Once parsed. Both throw Error(usage).
  CablingPlan draw() const;
  FabricBuilder make(const CablingPlan& plan) const;

 private:
  void declare_common(CLI::App& command);

  Generator generator_;
  Damage damage_;
  std::uint64_t seed_ = 1;
  bool shuffle_guids_ = false;
  std::string lids_, rate_;
  unsigned lmc_ = 0;
};

}  // namespace pssp
