#pragma once

// The command line of simulate_application.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "applications/schedule/playing.h"

namespace pssp {

struct ApplicationOptions {
  std::vector<std::string> files;    ///< tables and topology, or one file that has both
  std::vector<std::string> compare;  ///< further tables
  std::string application;           ///< NAME,SIZE..; empty: goal, or jobs
  std::string goal;                  ///< file
  std::vector<std::string> jobs;     ///< SPEC@SET
  std::string ranks_on;              ///< file of hosts
  std::string order = "switch";
  std::string network = "flows";
  std::string per_rank, timeline, map, write_goal;  ///< files; empty: none
  std::string output = "-";
  MessageCosts costs;
  std::uint64_t seed = 1;
  double compute_scale = 1;
  unsigned ranks = 0;  ///< of an application; 0: all hosts
  unsigned ranks_per_host = 1;
  LinkSharing sharing = LinkSharing::equal;
  bool cyclic = false;  ///< ranks on hosts: one on each before the second on any
  bool spread = false;  ///< play flows over all minimal ways, too
  bool critical_path = false;
  bool json = false;
};

/// Nothing when --help, --version or --list was answered. Throws Error(usage). Opens no file.
std::optional<ApplicationOptions> parse_application_options(int argc, const char* const* argv);

}  // namespace pssp
