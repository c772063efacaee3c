#pragma once

// Directors: large switches that consist of 24-port switch chips, connected as a Clos network with
// two levels (three levels in the largest director).

#include <string>
#include <vector>

#include "topologies/cabling_plan.h"

namespace pssp {

/// A director in a plan.
class Director {
 public:
  /// Adds the switches and internal cables. `ports`: 24, 48, 72, 96, 144, 288 or 3456; otherwise,
  /// throws Error(usage). Descriptions are "<name> line 1", ... and "<name> spine 1", ...; the
  /// largest director also has "<name> middle 1", ...
  Director(CablingPlan& plan, unsigned ports, const std::string& name);

  /// Number of switches in a director with this many ports.
  static constexpr unsigned switch_count(unsigned ports) {
    return ports / line_ports + ports / (2 * line_ports) +
           (ports == three_level_ports ? ports / line_ports : 0);
  }

  /// External port, from 0; twelve consecutive ports belong to one leaf module.
  Plug external_port(unsigned index) const {
    return {lines_[index / line_ports], index % line_ports + 1};
  }
  /// "<name> line <n>": the description of the leaf module with this external port.
  std::string place(unsigned index) const;

 private:
  static constexpr unsigned line_ports = 12;
  static constexpr unsigned three_level_ports = 3456;

  void draw_spines(CablingPlan& plan, unsigned count);
  void draw_middle_and_spines(CablingPlan& plan);

  std::string name_;
  std::vector<PlanNodeId> lines_;
};

/// One director with hosts at the external ports 0 .. hosts - 1.
struct DirectorParameters {
  unsigned ports = 0;
  unsigned hosts = 0;
};

CablingPlan make_director(const DirectorParameters& parameters);

/// A 144-port director with only some leaf modules: one for each element of `hosts`, with this many
/// hosts at its first ports, and all six spines. At most twelve elements of at most 12; otherwise,
/// throws Error(usage).
CablingPlan make_partial_director(const std::vector<unsigned>& hosts);

}  // namespace pssp
