#pragma once

// Simulates rates of a fabric with known faults, and counts how often these are found: evaluates a
// plan before measurements.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "operations/diagnosis/round_plan.h"
#include "operations/diagnosis/slow_objects.h"

namespace pssp {

struct SimulatedFault {
  SuspectObject object;
  double speed = 1;  ///< remaining part of the capacity
};

struct RateSimulationOptions {
  double full_rate = 100;     ///< of a link of reference capacity
  double noise = .05;         ///< standard deviation of the logarithm of every rate
  double disturbed = .02;     ///< part of the measurements with other disturbances
  double sharing_noise = .3;  ///< additional deviation of the logarithm for flows that share a link
  std::uint64_t seed = 1;
};

/// Sets the rates: max-min fair with some slow links, and noise. The flows need routes.
void simulate_rates(const FlowAlternatives& alternatives,
                    std::span<const std::vector<std::uint32_t>> nodes,
                    std::span<const SimulatedFault> faults, const RateSimulationOptions& options,
                    std::span<RateMeasurement> measurements);

/// How rounds are chosen: planned, or for comparison.
enum class RoundChoice : std::uint8_t { planned, random, shifts };

/// The simulated faults, and the number of trials.
struct RehearsalOptions {
  SuspectObject::Kind kind = SuspectObject::Kind::cable;
  bool of_adapters = false;  ///< cables and directions of adapters instead of between switches
  std::uint32_t trials = 100;
  std::uint32_t faults = 1;  ///< simultaneous faults; 0: a healthy fabric
  double speed = .25;
  bool with_next = false;  ///< adds the rounds of plan_next_rounds()
  RateSimulationOptions simulation;
};

struct RehearsalResult {
  std::uint32_t simulated = 0;    ///< faults
  std::uint32_t alone = 0;        ///< found without other objects in its group
  std::uint32_t in_group = 0;     ///< found with others
  std::uint32_t inseparable = 0;  ///< of these, with others that no flow can distinguish
  std::uint32_t missed = 0;
  std::uint32_t wrong = 0;   ///< findings that contain no fault
  std::uint32_t alarms = 0;  ///< trials with a wrong finding; healthy ones with any finding

  RehearsalResult& operator+=(const RehearsalResult& other);
  friend bool operator==(const RehearsalResult&, const RehearsalResult&) = default;
};

/// Rounds, and the number of faults found from their rates. Refers to the spans of the nodes; paths
/// and nodes must outlive it.
class Rehearsal {
 public:
  /// Plans or draws the rounds, and follows the flow of each pair of units once, which takes most
  /// of the time for thousands of units, for all later simulations.
  Rehearsal(const FlowAlternatives& alternatives, std::span<const MeasuredUnit> units,
            std::span<const std::vector<std::uint32_t>> nodes, const RoundPlanOptions& plan,
            RoundChoice choice = RoundChoice::planned);

  /// Depends only on the seeds, not on the number of threads: trials run concurrently on all
  /// threads of oneTBB. Faults are drawn among the objects that flows between the units can cross.
  /// `progress` counts trials.
  RehearsalResult run(const RehearsalOptions& options, const Progress& progress = {}) const;

 private:
  bool is_possible(std::uint32_t link) const;
  std::vector<SuspectObject> candidates(const RehearsalOptions& options) const;
  RateDiagnosis diagnose(std::span<const SimulatedFault> faults, const RehearsalOptions& options,
                         std::uint32_t trial) const;
  RehearsalResult evaluate(std::span<const SimulatedFault> faults,
                           const RateDiagnosis& diagnosis) const;

  const FlowAlternatives& alternatives_;
  std::span<const std::vector<std::uint32_t>> nodes_;
  std::uint32_t rounds_;
  std::vector<std::uint32_t> ranks_;   // of all units
  std::vector<std::uint64_t> prints_;  // crossing_prints()
  std::vector<RateMeasurement> planned_;
};

/// The measurements of planned rounds, in order, without rates.
std::vector<RateMeasurement> measurements_of(std::span<const MeasuredUnit> units,
                                             const RoundPlan& plan, RoundShape shape);

}  // namespace pssp
