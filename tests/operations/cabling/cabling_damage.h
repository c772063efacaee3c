#pragma once

// Damage to a cabling, and what compare_cabling() has to say of it.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "operations/cabling/cabling_statements.h"

namespace pssp::test {

/// A fault, and the ports that it is about: what a statement has to say.
struct SaidFault {
  CablingFault fault = CablingFault::missing;
  std::set<std::string> ports;
  friend auto operator<=>(const SaidFault&, const SaidFault&) = default;
};

struct DamagedCabling {
  Cabling fabric;
  std::multiset<SaidFault> faults;
};

/// So many pairs of cables of one switch exchanged at it, and so many cables out; no cable in two
/// faults. Names and GUIDs of all switches are forgotten where that is asked for, nodes and cables
/// are in another order, and cables the other way round.
DamagedCabling damaged(const Cabling& plan, unsigned swaps, unsigned missing, std::uint64_t seed,
                       bool forget_switches = true);

/// The same cables, in another order of nodes and cables.
Cabling shuffled(const Cabling& cabling, std::uint64_t seed);

std::multiset<SaidFault> said_faults(const CablingComparison& comparison);

}  // namespace pssp::test
