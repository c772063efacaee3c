#pragma once

// The interface of a topology family for the registry.

#include <cstdint>
#include <functional>
#include <string_view>

#include "topologies/cabling_plan.h"

namespace pssp {

class ArgumentList;

/// Generates the topology of the arguments; random families use `seed`. Throws Error(usage) if no
/// topology has these parameters.
using Generator = std::function<CablingPlan(std::uint64_t seed)>;

/// One entry of the registry.
struct TopologyFamily {
  std::string_view name;     ///< KIND of a specification
  std::string_view summary;  ///< one line
  std::string_view example;  ///< valid example arguments
  /// Adds the arguments of the family to a list. The bound members belong to the generator, which
  /// may be called after the arguments have their values.
  Generator (*declare)(ArgumentList& list);
};

}  // namespace pssp
