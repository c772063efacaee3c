#pragma once

// What tells fabrics in machine rooms from tidy ones: servers among the compute nodes, empty
// places, leaves bought at different times.

#include <cstdint>

#include "topologies/cabling_plan.h"

namespace pssp {

struct Irregularities {
  std::uint32_t uneven = 0;   ///< each switch lacks 0 to so many of its last hosts; one stays
  std::uint32_t servers = 0;  ///< of each switch's hosts, the last ones in the order of drawing
  std::uint32_t absent = 0;   ///< hosts
  std::uint32_t upper = 0;    ///< hosts at switches that have none otherwise
  LinkRate other_rate;        ///< of all cables at half of the leaves; not stated: no such leaves
};

/// Takes hosts out of uneven leaves, names the servers io00001, io00002 .. switch by switch, takes
/// absent hosts, servers among them, out, gives a random half of the leaves their rate, and plugs
/// upper hosts into switches that had none; all that is left keeps its name. The same plan, numbers
/// and seed give the same result on every platform. Throws Error(usage) when there are not so many
/// hosts.
void make_irregular(CablingPlan& plan, const Irregularities& wanted, std::uint64_t seed);

}  // namespace pssp
