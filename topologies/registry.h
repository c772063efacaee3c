#pragma once

// All topology families, and topologies from one line of text.
//
// A specification is what follows `make_topo` on the command line: KIND ARGUMENTS [--OPTION
// VALUE]... [COMMON OPTION]...
//
//   k-ary-n-tree K N                                     k-ary-n-tree 4 2
//   xgft M1,..,Mh W1,..,Wh [--parallel N]                xgft 16,16,16 1,8,8
//   joined-trees --leafs L1,L2,.. --hosts H[,..]         joined-trees --leafs 16,6 --hosts 24
//       --spines S[,..] [--cables N]                         --spines 12 --cables 12
//   director PORTS [--hosts N]                           director 288
//   odin | chic | thunderbird | deimos                   chic
//   leaf-director --leafs N --hosts N --directors N      leaf-director --leafs 8 --hosts 64
//   --directors 2
//       [--uplinks N] [--leaf-ports N] [--director-ports N]
//   director-chain --directors N --cables N --hosts N    director-chain --directors 2 --cables 10
//   --hosts 100
//       [--director-ports N]
//   mesh SIZES [--hosts N] [--parallel N]                mesh 5x5 --hosts 2
//       [--ports regular|thesis]
//   torus SIZES (as mesh)                                torus 6x6x4
//   hyperx SIZES [--hosts N]                             hyperx 4x4
//   hypercube DIMENSIONS [--hosts N]                     hypercube 6 --hosts 2
//   full-mesh SWITCHES [--hosts N]                       full-mesh 8 --hosts 2
//   random-regular SWITCHES --degree N [--hosts N]       random-regular 64 --degree 8 --hosts 8
//   dragonfly --switches A --global-links H              dragonfly --switches 4 --global-links 2
//   --hosts 2
//       [--hosts P] [--groups G]
//
// --hosts is 1 where it is optional (director: all ports). Common options:
//
//   --servers N          the last N hosts of each switch are servers: io00001, io00002 ..
//   --uneven-hosts N     leaves 0 to N of the last hosts of each switch out
//   --absent-hosts N     leaves N random hosts out
//   --upper-hosts N      plugs N random hosts into random switches that have none
//   --half-spines N      cables N random top switches to the first half of their neighbours only
//   --kill-links N       takes N random links between switches out
//   --kill-switches N    takes N random switches out; their hosts stay, without a cable
//   --allow-islands      lets damage split the fabric
//   --seed S             of all that is random (default 1)
//   --permute-ports      gives the ports of each switch numbers in random order
//   --shuffle-guids      gives the nodes GUIDs in random order
//   --lids[=SCHEME]      gives LIDs: opensm (default), or hosts-first (hosts from 1 on in the order
//   of drawing, then switches)
//   --lmc N              2^N LIDs for each adapter port (implies --lids)
//   --rate RATE          states a rate for all cables, e.g. 4xQDR
//   --mixed-rate RATE    of all cables at a random half of the switches with hosts

#include <span>
#include <string_view>

#include "fabric/builder.h"
#include "fabric/fabric.h"
#include "topologies/family.h"

namespace pssp {

/// All families, in the order of the documentation.
std::span<const TopologyFamily> topology_registry();

/// The topology that `spec` describes. Throws Error(usage).
FabricBuilder make_topology(std::string_view spec);

/// The same as a fabric that engines can route: with LIDs, by OpenSM's rule unless `spec` asks for
/// others.
Fabric make_fabric(std::string_view spec);

}  // namespace pssp
