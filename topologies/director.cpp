// Directors.
//
// The 144- and 288-port switches of the clusters in the papers (CHiC, Deimos, Odin) are built of
// 24-port chips. A line switch has 12 external ports (1 to 12) and 12 towards the spine (13 to 24),
// spread evenly over the spine switches, which connect line switches only. So a director of P ports
// has P / 12 line and P / 24 spine switches: 24 + 12 for 288, 12 + 6 (two cables between each pair)
// for 144. The even spread works where P / 24 divides 12.

#include "topologies/director.h"

#include <fmt/format.h>

#include "base/error.h"

namespace pssp {
namespace {

constexpr unsigned chip_ports = 24;

}  // namespace

Director::Director(CablingPlan& plan, unsigned ports, const std::string& name) : name_(name) {
  const unsigned spine_count = ports / chip_ports;
  if (ports % chip_ports != 0 || spine_count == 0 || line_ports % spine_count != 0) {
    throw Error(
        ErrorKind::usage,
        fmt::format(
            "no director of 24-port switches has {} ports; choose 24, 48, 72, 96, 144 or 288",
            ports));
  }
  const unsigned parallel = line_ports / spine_count;
  for (unsigned line = 0; line < ports / line_ports; ++line) {
    lines_.push_back(plan.add_switch(chip_ports, fmt::format("{} line {}", name, line + 1)));
  }
  for (unsigned spine = 0; spine < spine_count; ++spine) {
    const PlanNodeId id = plan.add_switch(chip_ports, fmt::format("{} spine {}", name, spine + 1));
    for (unsigned line = 0; line < lines_.size(); ++line) {
      for (unsigned copy = 0; copy < parallel; ++copy) {
        plan.connect({lines_[line], line_ports + spine * parallel + copy + 1},
                     {id, line * parallel + copy + 1});
      }
    }
  }
}

std::string Director::place(unsigned index) const {
  return fmt::format("{} line {}", name_, index / line_ports + 1);
}

CablingPlan make_director(const DirectorParameters& parameters) {
  CablingPlan plan;
  const Director director(plan, parameters.ports, "director");
  if (parameters.hosts > parameters.ports) {
    throw Error(ErrorKind::usage,
                fmt::format("{} hosts at a director of {} ports; choose at most {}",
                            parameters.hosts, parameters.ports, parameters.ports));
  }
  for (unsigned host = 0; host < parameters.hosts; ++host) {
    const Plug port = director.external_port(host);
    plan.add_host(port, fmt::format("{} host {}", director.place(host), port.port));
  }
  return plan;
}

}  // namespace pssp
