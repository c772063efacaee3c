#pragma once

// A topology file as ibsim can play it and one opensm can manage it.

#include <filesystem>
#include <string>

#include "ibsim_harness/topology_survey.h"

namespace pssp {

struct PlayableTopology {
  std::filesystem::path file;  ///< absolute; what is evaluated, too
  TopologySurvey survey;       ///< of that file
  std::string note;            ///< what was left out, in a sentence; empty: nothing was
};

/// The file itself where nothing is in the way, else a clean copy at `copy`: of a file whose tabs
/// were lost, or without the subnets that opensm does not manage where the file has several. LIDs,
/// GUIDs and descriptions stay. `host`: where opensm attaches, if not at the survey's choice.
/// Throws Error(unreadable_input) for what is no topology, or has no place for opensm;
/// Error(unsuitable_topology) for more nodes than a subnet has LIDs; Error(output).
PlayableTopology make_playable(const std::filesystem::path& topology,
                               const std::filesystem::path& copy, const std::string& host = {});

}  // namespace pssp
