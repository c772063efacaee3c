#pragma once

// Rates as a fabric with known faults would give them, and how often these are found again: what a
// plan is worth before anybody has measured anything.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "operations/diagnosis/round_plan.h"
#include "operations/diagnosis/slow_objects.h"

namespace pssp {

struct PlayedFault {
  SuspectObject object;
  double speed = 1;  ///< part of the capacity that is left
};

struct PlayOptions {
  double full_rate = 100;     ///< of a link of reference capacity
  double noise = .05;         ///< deviation of the logarithm of every rate
  double disturbed = .02;     ///< part of the measurements that something else slows down
  double sharing_noise = .3;  ///< deviation of the logarithm for flows that share a link, besides
  std::uint64_t seed = 1;
};

/// Fills the rates in: max-min fair over links of which some are slow, with noise. The flows need
/// routes.
void play_rates(const FlowWays& ways, std::span<const std::vector<std::uint32_t>> nodes,
                std::span<const PlayedFault> faults, const PlayOptions& options,
                std::span<RateMeasurement> measurements);

/// How rounds are chosen: planned, or what they are compared with.
enum class RoundChoice : std::uint8_t { planned, random, shifts };

struct RehearsalOptions {
  RoundPlanOptions plan;
  RoundChoice choice = RoundChoice::planned;
  SuspectObject::Kind kind = SuspectObject::Kind::cable;
  bool of_adapters = false;  ///< cables and directions: of adapters instead of between switches
  std::uint32_t trials = 100;
  std::uint32_t faults = 1;  ///< at once; 0: a healthy fabric
  double speed = .25;
  bool with_next = false;  ///< and the rounds of plan_next_rounds()
  PlayOptions play;
};

struct RehearsalResult {
  std::uint32_t played = 0;       ///< faults
  std::uint32_t alone = 0;        ///< named, and nothing else in its group
  std::uint32_t in_group = 0;     ///< named with others
  std::uint32_t inseparable = 0;  ///< of these: with others that no flow can tell apart
  std::uint32_t missed = 0;
  std::uint32_t wrong = 0;   ///< accusations that no fault is part of
  std::uint32_t alarms = 0;  ///< trials with a wrong accusation
};

/// Deterministic by the seeds. Faults are drawn among the objects that a flow between the units
/// can cross.
RehearsalResult rehearse(const FlowWays& ways, std::span<const MeasuredUnit> units,
                         std::span<const std::vector<std::uint32_t>> nodes,
                         const RehearsalOptions& options);

/// The measurements of planned rounds, in their order, without rates.
std::vector<RateMeasurement> measurements_of(std::span<const MeasuredUnit> units,
                                             const RoundPlan& plan, RoundShape shape);

}  // namespace pssp
