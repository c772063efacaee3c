#pragma once

// A topology file as ibsim can simulate it and one opensm can manage it.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "fabric/builder.h"
#include "ibsim_harness/topology_survey.h"

namespace pssp {

struct PlayableTopology {
  std::filesystem::path file;      ///< absolute; for ibsim alone, as rates may be scaled
  TopologySurvey survey;           ///< of that file
  std::vector<std::string> notes;  ///< what differs from the topology, a sentence each
  /// What is simulated: nodes, rates and LIDs of the topology, and the port GUIDs that ibsim gives.
  /// Without LIDs where opensm must give new ones.
  FabricBuilder fabric;
  unsigned lmc = 0;                ///< that opensm must be given
  bool switches_have_lmc = false;  ///< the LMC is that of enhanced switch ports 0, too
};

/// Writes a clean copy at `copy`. Left out, with a note: other subnets than that of `host`, the
/// adapter at which opensm attaches (empty: the survey's choice). `lmc`: that opensm will be given;
/// none: that of the file, or the largest where adapters differ. LIDs of the file stay where they
/// fit this LMC. Throws Error(unreadable_input) for what is no topology, or has no place for
/// opensm; Error(unsuitable_topology) for a fabric without a switch, or with more nodes than a
/// subnet has LIDs; Error(output); Error(usage) where opensm cannot run at `host`.
PlayableTopology make_playable(const std::filesystem::path& topology,
                               const std::filesystem::path& copy, const std::string& host = {},
                               std::optional<unsigned> lmc = std::nullopt);

}  // namespace pssp
