#pragma once

// How long applications take with the tables of each engine, by simulate_application.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "ibsim_harness/process.h"
#include "ibsim_harness/surroundings.h"
#include "tools/compare_engines/engine_result.h"
#include "tools/compare_engines/options.h"

namespace pssp {

class ApplicationTrials {
 public:
  /// All three must outlive the object.
  ApplicationTrials(const CompareOptions& options, const Surroundings& surroundings,
                    const SignalQueue& signals)
      : options_(options), surroundings_(surroundings), signals_(signals) {}

  /// Throws Error(usage), with what simulate_application says, where one of the applications cannot
  /// be simulated on the hosts of the fabric: to be known before hours of routing.
  void require_playable(const std::filesystem::path& topology,
                        const std::filesystem::path& folder) const;

  /// Fills in `applications` of all results with usable tables, which are all of `topology`. Where
  /// an application cannot be simulated, the reason; empty: all were.
  std::string replay(std::span<EngineResult> results, const std::filesystem::path& topology,
                     const std::filesystem::path& folder) const;

 private:
  std::vector<std::string> arguments(const std::string& application) const;

  const CompareOptions& options_;
  const Surroundings& surroundings_;
  const SignalQueue& signals_;
};

/// A sentence for each application that another safe engine than the recommended one plays in a
/// time at least 1 % shorter; empty where there is none.
std::string application_advice(std::span<const EngineResult> results, const std::string& engine,
                               unsigned lanes);

}  // namespace pssp
