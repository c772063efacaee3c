#pragma once

// Plans rounds of measurements in which no two flows share a link, so that rates need no model of
// congestion, and each round crosses the links that earlier rounds crossed least.

#include <cstdint>
#include <span>
#include <vector>

#include "operations/diagnosis/flow_alternatives.h"

namespace pssp {

/// Ports that are measured together: an end port, or all rails of a node.
struct MeasuredUnit {
  struct Port {
    std::uint32_t rail = 0;
    std::uint32_t rank = 0;
  };
  std::vector<Port> ports;  ///< by rail, distinct
  std::uint32_t node = 0;   ///< units of one node never form a pair
};

enum class RoundShape : std::uint8_t {
  one_direction,  ///< each unit sends to one other unit and receives from one
  both_ways,      ///< each unit is in one pair, and both directions count
};

struct RoundPlanOptions {
  std::uint32_t rounds = 3;
  RoundShape shape = RoundShape::one_direction;
  std::uint64_t seed = 1;
};

struct UnitPair {
  std::uint32_t from = 0, to = 0;
  friend bool operator==(const UnitPair&, const UnitPair&) = default;
};

/// The limits that no choice of flows can change, and the coverage of the rounds.
struct PlanCoverage {
  std::uint32_t channels = 0;
  std::uint32_t without_flow = 0;  ///< no flow between the units crosses them
  std::uint32_t inseparable = 0;   ///< have the same flows as another one, which represents both
  std::uint32_t uncovered = 0;     ///< of those with a flow, after all rounds
};

struct RoundPlan {
  std::vector<std::vector<UnitPair>> rounds;  ///< each in the order of `from`
  std::vector<std::uint32_t> left_out;        ///< units that do not send, by round
  PlanCoverage coverage;
};

/// The flows of a pair: on each common rail, and with both_ways in both directions.
std::vector<Flow> flows_of(std::span<const MeasuredUnit> units, UnitPair pair, RoundShape shape);

/// In every round the flows of all pairs are disjoint. O(rounds * (units^2 + switches with units *
/// units * length of a path)), and as much again for channels that are hard to reach.
RoundPlan plan_rounds(const FlowAlternatives& alternatives, std::span<const MeasuredUnit> units,
                      const RoundPlanOptions& options);

/// For each channel a fingerprint of the flows between the units that cross it, 0 if there are
/// none: channels with equal fingerprints cannot be distinguished. O(units^2 * length of a path).
std::vector<std::uint64_t> crossing_prints(const FlowAlternatives& alternatives,
                                           std::span<const MeasuredUnit> units);

}  // namespace pssp
