// The a h global ports of a group are numbered switch by switch. They connect the other groups in
// ascending order, with the same number of consecutive ports for each group. The paper does not
// specify the arrangement of the global links; this is the arrangement "consecutive" of Camarero,
// Vallejo, Beivide: Topological Characterization of Hamming and Dragonfly Networks, TACO 2014.

#include "topologies/dragonfly.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/error.h"

namespace pssp {
namespace {

/// Checks the parameters and sets the number of groups.
DragonflyParameters complete(DragonflyParameters p) {
  const std::string what =
      fmt::format("dragonfly a={} h={} p={}", p.switches, p.global_links, p.hosts);
  const std::uint64_t most_groups = saturating_product(p.switches, p.global_links);
  if (p.switches == 0 || p.groups > most_groups + 1) {
    throw Error(
        ErrorKind::usage,
        fmt::format(
            "{} with {} groups: expected at least one switch per group, and at most a h + 1 = {} "
            "groups",
            what, p.groups, most_groups + 1));
  }
  if (p.switches > max_port_number || p.global_links > max_port_number ||
      std::uint64_t{p.hosts} + p.switches - 1 + p.global_links > max_port_number) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: a switch needs more than {} ports", what, max_port_number));
  }
  if (p.groups == 0) p.groups = static_cast<unsigned>(most_groups) + 1;
  const std::uint64_t switches = std::uint64_t{p.groups} * p.switches;
  require_lid_space(what, switches, saturating_product(switches, p.hosts));
  return p;
}

}  // namespace

CablingPlan make_dragonfly(const DragonflyParameters& parameters) {
  const DragonflyParameters p = complete(parameters);
  CablingPlan plan;
  std::vector<PlanNodeId> ids;
  const unsigned first_local = p.hosts + 1;
  const unsigned first_global = p.hosts + p.switches;
  const unsigned ports = std::max(1U, p.hosts + p.switches - 1 + p.global_links);
  for (unsigned group = 0; group < p.groups; ++group) {
    for (unsigned s = 0; s < p.switches; ++s) {
      const std::string place = fmt::format("group {} switch {}", group + 1, s + 1);
      ids.push_back(plan.add_switch(ports, place));
      for (unsigned host = 1; host <= p.hosts; ++host) {
        plan.add_host({ids.back(), host}, fmt::format("{} host {}", place, host));
      }
    }
    const std::size_t first = ids.size() - p.switches;
    for (unsigned a = 0; a < p.switches; ++a) {
      for (unsigned b = a + 1; b < p.switches; ++b) {
        // The list of the other switches does not contain the switch itself.
        plan.connect({ids[first + a], first_local + b - 1}, {ids[first + b], first_local + a});
      }
    }
  }
  const unsigned parallel = p.groups > 1 ? p.switches * p.global_links / (p.groups - 1) : 0;
  const auto global_port = [&](unsigned group, unsigned index) {
    return Plug{ids[group * p.switches + index / p.global_links],
                first_global + index % p.global_links};
  };
  for (unsigned a = 0; a < p.groups; ++a) {
    for (unsigned b = a + 1; b < p.groups; ++b) {
      for (unsigned copy = 0; copy < parallel; ++copy) {
        plan.connect(global_port(a, (b - 1) * parallel + copy),
                     global_port(b, a * parallel + copy));
      }
    }
  }
  return plan;
}

}  // namespace pssp
