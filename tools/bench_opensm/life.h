#pragma once

// One life of opensm on a fabric of its own, with the sweeps that are timed.

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
  bool start_only = false;  ///< nothing after the subnet is up for the first time
  bool with_hops = false;   ///< the distribution of hops in its tables, too
  unsigned timeout = 60;    ///< seconds for each sweep
};

struct Life {
  std::string refusal;  ///< not empty: why the engine does not route the fabric
  std::vector<std::pair<std::string, Sweep>> sweeps;  ///< event, and what it brought about
  std::vector<HopRecord> hops;                        ///< without names
};

/// Configures the subnet, then again after SIGHUP, after a link between switches has failed, and
/// after the link is back. Logs stay in `directory`. Throws what would befall every engine.
Life live_once(const EngineSpec& engine, const TrialOptions& configured,
               const std::string& topology, const LifePlan& plan,
               const std::filesystem::path& directory, const Surroundings& surroundings,
               const SignalQueue& signals);

}  // namespace pssp
