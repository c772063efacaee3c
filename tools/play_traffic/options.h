#pragma once

// The command line of play_traffic.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ibsim_harness/engine_spec.h"
#include "ibsim_harness/simulated_activity.h"

namespace pssp {

struct PlayTrafficOptions {
  std::string topology;
  EngineSpec engine;
  std::string jobs;  ///< file; empty: random jobs
  unsigned scatter = 20;
  Activity activity = Activity::phases;  ///< of random jobs
  double storage_share = 0;              ///< of random jobs
  std::optional<double> seconds;         ///< of traffic; none: until the end
  double interval = 1;                   ///< seconds between settings
  double pace = 5;                       ///< seconds per level of activity
  unsigned errors = 3;                   ///< number of cables that count errors
  std::optional<double> cut;             ///< seconds until a cable is disconnected; none: never
  std::uint64_t seed = 1;
  unsigned timeout = 300;  ///< seconds of opensm's first sweep
  std::string out;         ///< empty: a new folder
  std::vector<std::string> command;
};

/// None if --help or --version was printed. Throws Error(usage). Opens no file.
std::optional<PlayTrafficOptions> parse_replay_options(int argc, const char* const* argv);

}  // namespace pssp
