#pragma once

// Checks forwarding tables against the plan of a fabric alone: Boost.Graph finds the connected
// components of the switches, and a walk over the cables follows each route.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fabric/tables/forwarding_tables.h"
#include "tests/properties/random_plan.h"

namespace pssp::test {

class PlanOracle {
 public:
  /// Both must outlive the object. The fabric is used only to find the SwitchId of a GUID.
  PlanOracle(const RandomPlan& plan, const Fabric& fabric);

  /// Describes the first wrong route or entry. Empty if each switch has a route to every LID that
  /// it can reach over the cables of the plan, and no entry for any other LID.
  std::string find_fault(const ForwardingTables& tables) const;

  /// Ordered pairs of a cabled adapter port with a LID and an adapter LID on another island. No
  /// tables can connect them.
  std::uint64_t separated_pairs() const;

 private:
  struct Goal {
    std::size_t node = none;  ///< switch that delivers the packets; none: no cable to a switch
    unsigned port = 0;
    bool of_switch = false;
  };
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  bool joined(std::size_t a, const Goal& goal) const {
    return goal.node != none && island_[a] == island_[goal.node];
  }
  bool arrives(const ForwardingTables& tables, std::size_t from, Lid lid, const Goal& goal) const;

  const RandomPlan& plan_;
  const Fabric& fabric_;
  std::map<PlannedPort, PlannedPort> far_end_;
  std::vector<int> island_;    // connected component by node; meaningful for switches only
  std::map<Lid, Goal> goals_;  // by LID
};

}  // namespace pssp::test
