#pragma once

// All topology families, and topologies from one line of text (make_topology()).

#include <span>
#include <string_view>

#include "fabric/builder.h"
#include "fabric/fabric.h"
#include "topologies/family.h"

namespace pssp {

/// All families, in the order of the documentation.
std::span<const TopologyFamily> topology_registry();

/// Makes the topology of the specification `spec`. Throws Error(usage). A specification is the rest
/// of a command line of `make_topo`: KIND ARGUMENTS [--OPTION VALUE]... [COMMON OPTION]...
///
///   k-ary-n-tree K N                                     k-ary-n-tree 4 2
///   xgft M1,..,Mh W1,..,Wh [--parallel N]                xgft 16,16,16 1,8,8
///   joined-trees --leafs L1,L2,.. --hosts H[,..]         joined-trees --leafs 16,6 --hosts 24
///       --spines S[,..] [--cables N]                         --spines 12 --cables 12
///   director PORTS [--hosts N]                           director 288
///   odin | chic | thunderbird | deimos                   chic
///   leaf-director --leafs N --hosts N --directors N      leaf-director --leafs 8 --hosts 64
///       [--uplinks N] [--leaf-ports N] [--director-ports N]  --directors 2
///   director-chain --directors N --cables N --hosts N    director-chain --directors 2 --cables 10
///       [--director-ports N]                                 --hosts 100
///   mesh SIZES [--hosts N] [--parallel N]                mesh 5x5 --hosts 2
///       [--ports regular|thesis]
///   torus SIZES (as mesh)                                torus 6x6x4
///   hyperx SIZES [--hosts N]                             hyperx 4x4
///   hypercube DIMENSIONS [--hosts N]                     hypercube 6 --hosts 2
///   full-mesh SWITCHES [--hosts N]                       full-mesh 8 --hosts 2
///   random-regular SWITCHES --degree N [--hosts N]       random-regular 64 --degree 8 --hosts 8
///   dragonfly --switches A --global-links H              dragonfly --switches 4 --global-links 2
///       [--hosts P] [--groups G]                             --hosts 2
///
/// The default of --hosts is 1, if it is optional (director: all ports). Common options:
///
///   --servers N          the last N hosts of each switch are servers: io00001, io00002 ..
///   --uneven-hosts N     removes 0 to N of the last hosts of each switch
///   --absent-hosts N     removes N random hosts
///   --upper-hosts N      moves N random hosts to random switches without hosts
///   --half-spines N      connects N random top switches only to the first half of their neighbors
///   --kill-links N       removes N random links between switches
///   --kill-switches N    removes N random switches; their hosts remain, without a cable
///   --allow-islands      lets damage split the fabric
///   --seed S             seed of all random choices (default 1)
///   --permute-ports      numbers the ports of each switch in random order
///   --shuffle-guids      gives the nodes GUIDs in random order
///   --lids[=SCHEME]      assigns LIDs: opensm (default), or hosts-first (first the hosts,
///                        from 1 on, then the switches)
///   --lmc N              2^N LIDs for each adapter port (implies --lids)
///   --rate RATE          rate of all cables, such as 4xQDR
///   --mixed-rate RATE    rate of all cables at a random half of the switches with hosts
FabricBuilder make_topology(std::string_view spec);

/// Makes the same topology as a fabric with LIDs, which engines can route. The LIDs follow OpenSM's
/// rule unless `spec` selects other LIDs. Throws Error(usage).
Fabric make_fabric(std::string_view spec);

}  // namespace pssp
