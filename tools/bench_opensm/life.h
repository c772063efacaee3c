#pragma once

// One run of opensm on its own simulated fabric, with timed sweeps.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "ibsim_harness/engine_spec.h"
#include "ibsim_harness/process.h"
#include "ibsim_harness/surroundings.h"
#include "tools/bench_opensm/measurements.h"

namespace pssp {

struct LifePlan {
  bool start_only = false;  ///< end after the subnet is up for the first time
  bool with_hops = false;   ///< also determine the distribution of hops in its tables
  unsigned timeout = 60;    ///< seconds for each sweep
};

struct Life {
  std::string refusal;  ///< nonempty: why the engine does not route the fabric
  std::vector<std::pair<std::string, Sweep>> sweeps;  ///< event, and its sweep
  std::vector<HopRecord> hops;                        ///< without names
};

/// Configures the subnet, then again after SIGHUP, after the failure of a link between switches,
/// and after its repair. Logs stay in `directory`. Throws errors that would affect every engine.
Life live_once(const EngineSpec& engine, const TrialOptions& configured,
               const std::string& topology, const LifePlan& plan,
               const std::filesystem::path& directory, const Surroundings& surroundings,
               const SignalQueue& signals);

}  // namespace pssp
