#pragma once

// A topology file that ibsim can simulate and one opensm can manage.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "fabric/builder.h"
#include "ibsim_harness/topology_survey.h"

namespace pssp {

struct PlayableTopology {
  std::filesystem::path file;      ///< absolute; only for ibsim, because rates may be scaled
  TopologySurvey survey;           ///< of that file
  std::vector<std::string> notes;  ///< differences from the topology, one sentence each
  /// The simulated fabric: nodes, rates and LIDs of the topology, and the port GUIDs of ibsim.
  /// Without LIDs if opensm must assign new LIDs.
  FabricBuilder fabric;
  unsigned lmc = 0;                ///< for opensm
  bool switches_have_lmc = false;  ///< enhanced switch ports 0 also have this LMC
};

/// Writes a corrected copy to `copy`. Other subnets than that of `host` are left out, with a note;
/// `host` is the adapter at which opensm runs (empty: the choice of the survey). `lmc` is the LMC
/// for opensm; without a value, the LMC of the file, or the largest if adapters differ. LIDs of the
/// file are kept if they fit this LMC. Throws Error(unreadable_input) if the file is not a
/// topology, or has no adapter for opensm; Error(unsuitable_topology) for a fabric without
/// switches, or with more nodes than a subnet has LIDs; Error(output); Error(usage) if opensm
/// cannot run at `host`.
PlayableTopology make_playable(const std::filesystem::path& topology,
                               const std::filesystem::path& copy, const std::string& host = {},
                               std::optional<unsigned> lmc = std::nullopt);

}  // namespace pssp
