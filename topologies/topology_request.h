#pragma once

// A topology with all its parameters: the arguments of its family, damage, GUIDs, LIDs and rates.
// Both make_topo and the parser of specifications fill it.

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "fabric/builder.h"
#include "topologies/arguments.h"
#include "topologies/damage.h"
#include "topologies/family.h"
#include "topologies/irregularities.h"

namespace pssp {

/// One object collects one request.
class TopologyRequest {
 public:
  /// A family with its arguments, followed by the common arguments of all families.
  struct Kind {
    const TopologyFamily* family;
    ArgumentList arguments;
    Generator generator;
  };

  TopologyRequest();
  TopologyRequest(const TopologyRequest&) = delete;
  TopologyRequest& operator=(const TopologyRequest&) = delete;

  /// One per family; their arguments are bound to this object.
  const std::deque<Kind>& kinds() const noexcept { return kinds_; }
  /// Selects the family after its arguments have their values.
  void choose(const Kind& kind) { chosen_ = &kind; }

  /// Parses a whole specification (registry.h); an empty specification selects nothing. Throws
  /// Error(usage).
  void take(std::string_view specification);

  /// For the selected family. Both functions throw Error(usage).
  CablingPlan draw() const;
  FabricBuilder make(const CablingPlan& plan) const;

 private:
  void declare_common(ArgumentList& list);

  std::deque<Kind> kinds_;
  const Kind* chosen_ = nullptr;
  Irregularities irregularities_;
  Damage damage_;
  std::uint64_t seed_ = 1;
  bool permute_ports_ = false, shuffle_guids_ = false;
  std::string lids_, rate_, mixed_rate_;
  unsigned lmc_ = 0;
};

}  // namespace pssp
