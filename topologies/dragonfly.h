#pragma once

// Dragonflies (Kim, Dally, Scott, Abts: Technology-Driven, Highly-Scalable Dragonfly Topology, ISCA
// 2008).

#include "topologies/cabling_plan.h"

namespace pssp {

struct DragonflyParameters {
  unsigned switches = 0;  ///< a: switches of a group, each linked to every other one of the group
  unsigned global_links = 0;  ///< h: links of a switch to other groups
  unsigned hosts = 1;         ///< p: hosts at each switch
  unsigned groups = 0;        ///< g: 1 .. a h + 1; 0 means a h + 1
};

/// Any two groups have floor(a h / (g - 1)) links; remaining ports are free. Ports: hosts, other
/// switches of the group, other groups. Throws Error(usage).
CablingPlan make_dragonfly(const DragonflyParameters& parameters);

}  // namespace pssp
