#pragma once

// The LIDs that opensm assigned in a simulated subnet. Tables are evaluated with these LIDs,
// because opensm can use another LMC than the topology file, and assigns a new LID if the old one
// does not fit.

#include <string>
#include <string_view>

#include "fabric/builder.h"

namespace pssp {

struct FabricInForce {
  FabricBuilder fabric;
  std::string note;  ///< LIDs that differ from those of the file; empty: none
  unsigned lmc = 0;  ///< of the adapter ports; the largest one if they differ
};

/// `simulated` (PlayableTopology::fabric) with the LIDs of `guid2lid`, the text of the file of this
/// name that opensm writes: port GUID, lowest and highest LID. An adapter port without a LID in a
/// file with LIDs stays without a LID. Throws Error(simulation) if the ports of fabric and subnet
/// differ: a port without a LID in the subnet, or a port that is only in the subnet. `name` is the
/// name of the file.
FabricInForce with_lids_in_force(const FabricBuilder& simulated, std::string_view guid2lid,
                                 std::string_view name);

}  // namespace pssp
