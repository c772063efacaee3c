#pragma once

// A cable that is taken out for a while, so that there is a fault to watch.

#include <cstdint>
#include <string>

#include "fabric/fabric.h"

namespace pssp {

struct SimulatedCableEnd {
  std::string node;  ///< its identifier in the topology file
  std::string name;  ///< as people know it
  unsigned port = 0;

  /// As ibsim's console takes it.
  std::string quoted() const;
};

struct CutCable {
  SimulatedCableEnd from, to;
};

/// A random cable between switches without which all of them still reach each other. Throws
/// Error(unsuitable_topology) where there is none. O(cables * switches) at worst.
CutCable cable_to_cut(const Fabric& fabric, std::uint64_t seed);

}  // namespace pssp
