#pragma once

// What tells fabrics in machine rooms from tidy ones: servers among the compute nodes, places that
// are empty.

#include <cstdint>

#include "topologies/cabling_plan.h"

namespace pssp {

struct Irregularities {
  std::uint32_t servers = 0;  ///< of each switch's hosts, the last ones in the order of drawing
  std::uint32_t absent = 0;   ///< hosts
};

/// Names the servers io00001, io00002 .. switch by switch, and takes absent hosts, servers among
/// them, out of the plan; all that is left keeps its name. The same plan, numbers and seed give the
/// same result on every platform. Throws Error(usage) when there are not so many hosts.
void make_irregular(CablingPlan& plan, const Irregularities& wanted, std::uint64_t seed);

}  // namespace pssp
