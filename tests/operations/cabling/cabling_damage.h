#pragma once

// Damages a cabling, and lists the faults that compare_cabling() must report.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "operations/cabling/cabling_statements.h"

namespace pssp::test {

/// A fault and its ports, as a statement must report them.
struct SaidFault {
  CablingFault fault = CablingFault::missing;
  std::set<std::string> ports;
  friend auto operator<=>(const SaidFault&, const SaidFault&) = default;
};

struct DamagedCabling {
  Cabling fabric;
  std::multiset<SaidFault> faults;
};

/// Exchanges `swaps` pairs of cables at a common switch and removes `missing` cables; no cable has
/// two faults. With `forget_switches`, the switches lose their names and GUIDs. Nodes and cables
/// get a different order, and the ends of some cables are exchanged.
DamagedCabling damaged(const Cabling& plan, unsigned swaps, unsigned missing, std::uint64_t seed,
                       bool forget_switches = true);

/// The same cabling with nodes and cables in a random order.
Cabling shuffled(const Cabling& cabling, std::uint64_t seed);

std::multiset<SaidFault> said_faults(const CablingComparison& comparison);

}  // namespace pssp::test
