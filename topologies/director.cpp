// The 144- and 288-port switches of the clusters in the papers (CHiC, Deimos, Odin) consist of
// 24-port chips. A leaf module ("line" in descriptions) has 12 external ports (1 to 12), and 12
// ports (13 to 24) that are spread evenly over the spine modules; spine modules connect only leaf
// modules. A director with P ports has P / 12 leaf modules and P / 24 spine modules: 24 + 12 for
// 288 ports, and 12 + 6 (two cables between each pair) for 144 ports. The cables can be spread
// evenly if P / 24 divides 12.

#include "topologies/director.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/error.h"

namespace pssp {
namespace {

constexpr unsigned chip_ports = 24;

}  // namespace

Director::Director(CablingPlan& plan, unsigned ports, const std::string& name) : name_(name) {
  const unsigned spine_count = ports / chip_ports;
  if (ports != three_level_ports &&
      (ports % chip_ports != 0 || spine_count == 0 || line_ports % spine_count != 0)) {
    throw Error(
        ErrorKind::usage,
        fmt::format(
            "no director of 24-port switches has {} ports; choose 24, 48, 72, 96, 144, 288 or 3456",
            ports));
  }
  for (unsigned line = 0; line < ports / line_ports; ++line) {
    lines_.push_back(plan.add_switch(chip_ports, fmt::format("{} line {}", name, line + 1)));
  }
  if (ports == three_level_ports) {
    draw_middle_and_spines(plan);
  } else {
    draw_spines(plan, spine_count);
  }
}

void Director::draw_spines(CablingPlan& plan, unsigned count) {
  const unsigned parallel = line_ports / count;
  for (unsigned spine = 0; spine < count; ++spine) {
    const PlanNodeId id = plan.add_switch(chip_ports, fmt::format("{} spine {}", name_, spine + 1));
    for (unsigned line = 0; line < lines_.size(); ++line) {
      for (unsigned copy = 0; copy < parallel; ++copy) {
        plan.connect({lines_[line], line_ports + spine * parallel + copy + 1},
                     {id, line * parallel + copy + 1});
      }
    }
  }
}

// The 3456-port switch of Ranger has one more level: 24 line cards with 12 leaf modules and 12
// middle switches each. Each leaf module has a cable to each middle switch of its card. Middle
// switch m of every card has a cable to each of the spines 12 m .. 12 m + 11, of 144 spines. All
// levels have full bandwidth.
void Director::draw_middle_and_spines(CablingPlan& plan) {
  std::vector<PlanNodeId> middle;
  for (unsigned m = 0; m < lines_.size(); ++m) {
    middle.push_back(plan.add_switch(chip_ports, fmt::format("{} middle {}", name_, m + 1)));
    const unsigned card = m / line_ports;
    for (unsigned line = 0; line < line_ports; ++line) {
      plan.connect({lines_[card * line_ports + line], line_ports + m % line_ports + 1},
                   {middle[m], line + 1});
    }
  }
  for (unsigned spine = 0; spine < line_ports * line_ports; ++spine) {
    const PlanNodeId id = plan.add_switch(chip_ports, fmt::format("{} spine {}", name_, spine + 1));
    for (unsigned card = 0; card < chip_ports; ++card) {
      plan.connect(
          {middle[card * line_ports + spine / line_ports], line_ports + spine % line_ports + 1},
          {id, card + 1});
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

CablingPlan make_partial_director(const std::vector<unsigned>& hosts) {
  constexpr unsigned half = chip_ports / 2;  // of a line switch, for hosts and for spines
  constexpr unsigned spine_count = 6;
  constexpr unsigned parallel = half / spine_count;
  const bool too_many = std::ranges::any_of(hosts, [](unsigned n) { return n > half; });
  if (hosts.empty() || hosts.size() > half || too_many) {
    throw Error(ErrorKind::usage,
                fmt::format("a part of a 144-port director has 1 to {} line switches with at most "
                            "{} hosts each, not {}",
                            half, half, fmt::join(hosts, ", ")));
  }
  CablingPlan plan;
  std::vector<PlanNodeId> leaves;
  for (std::size_t leaf = 0; leaf < hosts.size(); ++leaf) {
    leaves.push_back(plan.add_switch(chip_ports, fmt::format("leaf {}", leaf + 1)));
    for (unsigned host = 1; host <= hosts[leaf]; ++host) {
      plan.add_host({leaves[leaf], host}, fmt::format("leaf {} host {}", leaf + 1, host));
    }
  }
  for (unsigned spine = 0; spine < spine_count; ++spine) {
    const PlanNodeId id = plan.add_switch(chip_ports, fmt::format("spine {}", spine + 1));
    unsigned port = 1;
    for (const PlanNodeId leaf : leaves) {
      for (unsigned copy = 1; copy <= parallel; ++copy) {
        plan.connect({leaf, half + spine * parallel + copy}, {id, port++});
      }
    }
  }
  return plan;
}

}  // namespace pssp
