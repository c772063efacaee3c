#pragma once

// The LIDs that opensm gave to a simulated subnet. Tables are evaluated by these: opensm may be
// told another LMC than a topology file has, and gives a port a new LID where the old one does not
// suit it.

#include <string>
#include <string_view>

#include "fabric/builder.h"

namespace pssp {

struct FabricInForce {
  FabricBuilder fabric;
  std::string note;  ///< LIDs that differ from those of the file; empty: none
  unsigned lmc = 0;  ///< of the adapters' ports; of several the largest
};

/// `simulated` (PlayableTopology::fabric) with the LIDs of `guid2lid`, the text of opensm's file of
/// that name: port GUID, lowest and highest LID. An adapter's port that has no LID in a file that
/// has LIDs stays without one. Throws Error(simulation) where fabric and subnet have other ports:
/// one without a LID in the subnet, or one that only the subnet has. `name` is the file's.
FabricInForce with_lids_in_force(const FabricBuilder& simulated, std::string_view guid2lid,
                                 std::string_view name);

}  // namespace pssp
