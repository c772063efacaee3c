#pragma once

// A topology file as ibsim can play it and one opensm can manage it.

#include <filesystem>
#include <string>
#include <string_view>

#include "ibsim_harness/topology_survey.h"

namespace pssp {

struct PlayableTopology {
  std::filesystem::path file;  ///< absolute; what is evaluated, too
  TopologySurvey survey;       ///< of that file
  std::string note;            ///< what was left out, in a sentence; empty: nothing was
};

/// The file itself where nothing is in the way, else a clean copy at `copy`: of a file whose tabs
/// were lost, or without the subnets that opensm does not manage where the file has several. GUIDs
/// and descriptions stay, and LIDs unless opensm is to give others. `host`: where opensm attaches,
/// if not at the survey's choice. Throws Error(unreadable_input) for what is no topology, or has no
/// place for opensm; Error(unsuitable_topology) for more nodes than a subnet has LIDs;
/// Error(output); Error(usage) where opensm cannot run at `host`.
PlayableTopology make_playable(const std::filesystem::path& topology,
                               const std::filesystem::path& copy, const std::string& host = {},
                               bool keep_lids = true);

/// The topology without its ports' LIDs: what is not in quotes of `lid 73` and `lmc 0`.
std::string without_lids(std::string_view topology);

}  // namespace pssp
