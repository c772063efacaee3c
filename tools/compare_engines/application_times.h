#pragma once

// The times of applications with the tables of each engine, from simulate_application.

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

  /// Throws Error(usage), with the message of simulate_application, if an application cannot be
  /// simulated on the hosts of the fabric, before hours of routing.
  void require_playable(const std::filesystem::path& topology,
                        const std::filesystem::path& folder) const;

  /// Sets `applications` of all results with usable tables, which must all belong to `topology`.
  /// Returns the reason if an application cannot be simulated; empty on success.
  std::string replay(std::span<EngineResult> results, const std::filesystem::path& topology,
                     const std::filesystem::path& folder) const;

 private:
  std::vector<std::string> arguments(const std::string& application) const;

  const CompareOptions& options_;
  const Surroundings& surroundings_;
  const SignalQueue& signals_;
};

/// A sentence for each application whose time is at least 1 % shorter with another safe engine than
/// with the recommended one; empty if there is none.
std::string application_advice(std::span<const EngineResult> results, const std::string& engine,
                               unsigned lanes);

}  // namespace pssp
