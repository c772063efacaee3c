#pragma once

// A cable that is disconnected for a while, to simulate a fault.

#include <cstdint>
#include <string>

#include "fabric/fabric.h"

namespace pssp {

struct SimulatedCableEnd {
  std::string node;  ///< its identifier in the topology file
  std::string name;  ///< for display
  unsigned port = 0;

  /// In the notation of ibsim's console.
  std::string quoted() const;
};

struct CutCable {
  SimulatedCableEnd from, to;
};

/// A random cable between switches without which all of them can still reach each other. Throws
/// Error(unsuitable_topology) if there is none. Worst case O(cables * switches).
CutCable cable_to_cut(const Fabric& fabric, std::uint64_t seed);

}  // namespace pssp
