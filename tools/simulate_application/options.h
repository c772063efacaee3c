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
  std::string application;           ///< NAME,SIZE..; empty: goal
  std::string goal;                  ///< file
  unsigned ranks = 0;                ///< of an application; 0: all hosts
  std::string ranks_on;              ///< file of hosts
  std::string order = "switch";
  std::uint64_t seed = 1;
  std::string network = "flows";
  LinkSharing sharing = LinkSharing::equal;
  MessageCosts costs;
  bool spread = false;            ///< play flows over all minimal ways, too
  std::vector<std::string> jobs;  ///< SPEC@SET; instead of application and goal
  unsigned ranks_per_host = 1;
  bool cyclic = false;  ///< of these one on each host before the second on any
  double compute_scale = 1;
  std::string per_rank;  ///< file; empty: none
  bool critical_path = false;
  std::string timeline, map;  ///< pictures of the play with the first tables; empty: none
  std::string write_goal;     ///< file; empty: none
  bool json = false;
  std::string output = "-";
};

/// Nothing when --help, --version or --list was answered. Throws Error(usage). Opens no file.
std::optional<ApplicationOptions> parse_application_options(int argc, const char* const* argv);

}  // namespace pssp
