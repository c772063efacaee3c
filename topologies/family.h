#pragma once

// What a topology family gives to the registry.

#include <cstdint>
#include <functional>
#include <string_view>

#include "topologies/cabling_plan.h"

namespace CLI {
class App;
}

namespace pssp {

/// Draws the topology that the arguments describe; `seed` is for families that are random. Throws
/// Error(usage) on parameters that make no topology.
using Generator = std::function<CablingPlan(std::uint64_t seed)>;

/// One line of the registry.
struct TopologyFamily {
  std::string_view name;     ///< KIND of the command line
  std::string_view summary;  ///< one line
  std::string_view example;  ///< arguments that work
  /// Declares the family's arguments on a command. The generator may be called once the command
  /// line has been parsed.
  Generator (*declare)(CLI::App& command);
};

}  // namespace pssp
