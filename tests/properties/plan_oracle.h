#pragma once

// What must hold for forwarding tables, answered from the plan of a fabric alone: Boost.Graph says
// which switches hang together, a walk from cable to cable says where packets go.

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
  /// Both must outlive the object. Of the fabric only the numbers of switches are asked for.
  PlanOracle(const RandomPlan& plan, const Fabric& fabric);

  /// The first route that is wrong, in words; empty when each switch has a route to each LID that
  /// it can reach, by cables that are there, and no entry for any other LID.
  std::string find_fault(const ForwardingTables& tables) const;

  /// Ordered pairs of a cabled port of an adapter and a LID of another one that no tables could
  /// join.
  std::uint64_t separated_pairs() const;

 private:
  struct Goal {
    std::size_t node = none;  ///< switch that hands the packets over; none: dead port
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
  std::vector<int> island_;    // by node; of switches
  std::map<Lid, Goal> goals_;  // of all LIDs
};

}  // namespace pssp::test
