// The number of a switch is its coordinates read as a number (the last one is the lowest digit), so
// a step along a dimension adds a constant. Each cable is added at the end with the smaller
// coordinate.

#include "topologies/hyperx.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "base/error.h"

namespace pssp {
namespace {

void check(const HyperxParameters& hyperx) {
  std::uint64_t switches = 1;
  std::uint64_t ports = hyperx.hosts;
  for (const unsigned size : hyperx.sizes) {
    switches = saturating_product(switches, size);
    ports += size;
  }
  if (hyperx.sizes.empty() || switches == 0) {
    throw Error(ErrorKind::usage,
                fmt::format("HyperX '{}': expected at least one dimension of at least one switch",
                            fmt::join(hyperx.sizes, "x")));
  }
  const std::string what = fmt::format("HyperX {}", fmt::join(hyperx.sizes, "x"));
  require_lid_space(what, switches, saturating_product(switches, hyperx.hosts));
  ports -= hyperx.sizes.size();
  if (ports > max_port_number) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{} with {} hosts per switch needs switches of {} ports; the maximum is {}",
                    what, hyperx.hosts, ports, max_port_number));
  }
}

}  // namespace

CablingPlan make_hyperx(const HyperxParameters& parameters) {
  check(parameters);
  unsigned switches = 1;
  unsigned links = 0;
  for (const unsigned size : parameters.sizes) {
    switches *= size;
    links += size - 1;
  }
  // A single switch without hosts also has a port.
  const unsigned ports = std::max(1U, parameters.hosts + links);

  CablingPlan plan;
  std::vector<PlanNodeId> ids;
  for (unsigned number = 0; number < switches; ++number) {
    std::vector<unsigned> at(parameters.sizes.size());
    unsigned rest = number;
    for (std::size_t d = at.size(); d-- > 0; rest /= parameters.sizes[d])
      at[d] = rest % parameters.sizes[d];
    const std::string place = fmt::format("switch {}", fmt::join(at, ","));
    ids.push_back(plan.add_switch(ports, place));
    for (unsigned host = 1; host <= parameters.hosts; ++host) {
      plan.add_host({ids.back(), host}, fmt::format("{} host {}", place, host));
    }
  }
  unsigned stride = switches;
  unsigned first_port = parameters.hosts + 1;
  for (const unsigned size : parameters.sizes) {
    stride /= size;
    for (unsigned number = 0; number < switches; ++number) {
      const unsigned mine = number / stride % size;
      for (unsigned other = mine + 1; other < size; ++other) {
        // The list of the other switches does not contain the switch itself.
        plan.connect({ids[number], first_port + other - 1},
                     {ids[number + (other - mine) * stride], first_port + mine});
      }
    }
    first_port += size - 1;
  }
  return plan;
}

}  // namespace pssp
