#pragma once

// What a topology family gives to the registry.

#include <cstdint>
#include <functional>
#include <string_view>

#include "topologies/cabling_plan.h"

namespace pssp {

class ArgumentList;

/// Draws the topology that the arguments describe; `seed` is for families that are random. Throws
/// Error(usage) on parameters that make no topology.
using Generator = std::function<CablingPlan(std::uint64_t seed)>;

/// One line of the registry.
struct TopologyFamily {
  std::string_view name;     ///< KIND of a specification
  std::string_view summary;  ///< one line
  std::string_view example;  ///< arguments that work
  /// Adds the family's arguments to a list. What they are bound to belongs to the generator, which
  /// may be called once they have their values.
  Generator (*declare)(ArgumentList& list);
};

}  // namespace pssp
