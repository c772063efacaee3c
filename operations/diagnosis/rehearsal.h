#pragma once

// Rates as a fabric with known faults would give them, and how often these are found again: what a
// plan is worth before anybody has measured anything.

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
  double speed = 1;  ///< part of the capacity that is left
};

struct RateSimulationOptions {
  double full_rate = 100;     ///< of a link of reference capacity
  double noise = .05;         ///< deviation of the logarithm of every rate
  double disturbed = .02;     ///< part of the measurements that something else slows down
  double sharing_noise = .3;  ///< deviation of the logarithm for flows that share a link, besides
  std::uint64_t seed = 1;
};

/// Fills the rates in: max-min fair over links of which some are slow, with noise. The flows need
/// routes.
void simulate_rates(const FlowAlternatives& alternatives,
                    std::span<const std::vector<std::uint32_t>> nodes,
                    std::span<const SimulatedFault> faults, const RateSimulationOptions& options,
                    std::span<RateMeasurement> measurements);

/// How rounds are chosen: planned, or what they are compared with.
enum class RoundChoice : std::uint8_t { planned, random, shifts };

/// What is simulated, and how often.
struct RehearsalOptions {
  SuspectObject::Kind kind = SuspectObject::Kind::cable;
  bool of_adapters = false;  ///< cables and directions: of adapters instead of between switches
  std::uint32_t trials = 100;
  std::uint32_t faults = 1;  ///< at once; 0: a healthy fabric
  double speed = .25;
  bool with_next = false;  ///< and the rounds of plan_next_rounds()
  RateSimulationOptions simulation;
};

struct RehearsalResult {
  std::uint32_t simulated = 0;    ///< faults
  std::uint32_t alone = 0;        ///< named, and nothing else in its group
  std::uint32_t in_group = 0;     ///< named with others
  std::uint32_t inseparable = 0;  ///< of these: with others that no flow can tell apart
  std::uint32_t missed = 0;
  std::uint32_t wrong = 0;   ///< accusations that no fault is part of
  std::uint32_t alarms = 0;  ///< trials with a wrong accusation; healthy ones with any finding

  RehearsalResult& operator+=(const RehearsalResult& other);
  friend bool operator==(const RehearsalResult&, const RehearsalResult&) = default;
};

/// Rounds, and how many faults their rates find. Holds nothing of the nodes but the spans; paths
/// and nodes must outlive it.
class Rehearsal {
 public:
  /// Plans the rounds, or draws them, and follows the flow of each pair of units once, which is
  /// most of the time where there are thousands: for all that is simulated afterwards.
  Rehearsal(const FlowAlternatives& alternatives, std::span<const MeasuredUnit> units,
            std::span<const std::vector<std::uint32_t>> nodes, const RoundPlanOptions& plan,
            RoundChoice choice = RoundChoice::planned);

  /// Deterministic by the seeds, whatever the number of threads: trials go on at once, on all that
  /// oneTBB may use. Faults are drawn among the objects that a flow between the units can cross.
  /// `progress` hears of trials.
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

/// The measurements of planned rounds, in their order, without rates.
std::vector<RateMeasurement> measurements_of(std::span<const MeasuredUnit> units,
                                             const RoundPlan& plan, RoundShape shape);

}  // namespace pssp
