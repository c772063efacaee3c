#pragma once

// Irregularities of real fabrics: servers among the compute nodes, unused ports, and leaves of
// different ages.

#include <cstdint>

#include "topologies/cabling_plan.h"

namespace pssp {

struct Irregularities {
  std::uint32_t uneven = 0;   ///< each switch lacks 0 to this many of its last hosts; one remains
  std::uint32_t servers = 0;  ///< the last hosts of each switch, in the order of addition
  std::uint32_t absent = 0;   ///< number of removed hosts
  std::uint32_t upper = 0;    ///< number of hosts at switches that otherwise have none
  LinkRate other_rate;        ///< of all cables at half of the leaves; not set: no such leaves
};

/// Applies the irregularities in this order: removes the last hosts of uneven leaves, names the
/// servers io00001, io00002 .. switch by switch, and removes absent hosts, which can be servers.
/// Then gives a random half of the leaves the other rate, and moves upper hosts to switches without
/// hosts. All remaining nodes keep their names. The same plan, numbers and seed give the same
/// result on every platform. Throws Error(usage) if there are too few hosts.
void make_irregular(CablingPlan& plan, const Irregularities& wanted, std::uint64_t seed);

}  // namespace pssp
