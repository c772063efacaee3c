#pragma once

// Directors: chassis switches of 24-port switch chips, which are a two-level Clos network inside.

#include <string>
#include <vector>

#include "topologies/cabling_plan.h"

namespace pssp {

/// A director in a plan.
class Director {
 public:
  /// Draws its switches and inner cables. `ports`: 24, 48, 72, 96, 144 or 288; else Error(usage).
  /// Descriptions are "<name> line 1" and "<name> spine 1" onwards.
  Director(CablingPlan& plan, unsigned ports, const std::string& name);

  /// Switches in a director of so many ports.
  static constexpr unsigned switch_count(unsigned ports) {
    return ports / line_ports + ports / (2 * line_ports);
  }

  /// External port, from 0; twelve neighbouring ones belong to one line switch.
  Plug external_port(unsigned index) const {
    return {lines_[index / line_ports], index % line_ports + 1};
  }
  /// "<name> line <n>": where that external port is.
  std::string place(unsigned index) const;

 private:
  static constexpr unsigned line_ports = 12;

  std::string name_;
  std::vector<PlanNodeId> lines_;
};

/// One director with hosts at its external ports 0 .. hosts - 1.
struct DirectorParameters {
  unsigned ports = 0;
  unsigned hosts = 0;
};

CablingPlan make_director(const DirectorParameters& parameters);

}  // namespace pssp
