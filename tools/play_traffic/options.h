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
  std::string jobs;  ///< file; empty: scattered ones
  unsigned scatter = 20;
  Activity activity = Activity::phases;  ///< of scattered jobs
  double storage_share = 0;              ///< of scattered jobs
  std::optional<double> seconds;         ///< of traffic; nothing: until the end
  double interval = 1;                   ///< seconds between settings
  double pace = 5;                       ///< seconds that a level of activity lasts
  unsigned errors = 3;                   ///< cables that count errors
  std::optional<double> cut;             ///< seconds until a cable is taken out; nothing: never
  std::uint64_t seed = 1;
  unsigned timeout = 300;  ///< seconds of opensm's first sweep
  std::string out;         ///< empty: a new folder
  std::vector<std::string> command;
};

/// Nothing when --help or --version was answered. Throws Error(usage). Opens no file.
std::optional<PlayTrafficOptions> parse_replay_options(int argc, const char* const* argv);

}  // namespace pssp
