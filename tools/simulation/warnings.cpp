// A credit loop is a warning, not an error: the run continues, and reports a deadlock if it occurs.

#include <fmt/format.h>

#include "base/error.h"
#include "routing/verify/lanes.h"
#include "routing/verify/verify.h"
#include "tools/simulation/simulation_input.h"

namespace pssp {
namespace {

/// Whether the lanes of packets with the first tables prevent cycles of waiting.
bool lanes_break_loops(const SourceOptions& options, const SimulationInput& input) {
  const Model model = model_for(options, input, traffic_for(options, input, 1));
  const SimulatedTables& first = input.tables.front();
  return verify_lanes(first.fabric, first.tables, lanes_of(*input.levels, model),
                      {.switch_ports = false})
      .cycle.empty();
}

}  // namespace

void add_warnings(const SourceOptions& options, SimulationInput& input) {
  for (SimulatedTables& each : input.tables) {
    if (each.fabric.endpoints().size() < 2) {
      each.warnings.push_back(fmt::format("{}: {} hosts; traffic needs at least two", each.name,
                                          each.fabric.endpoints().size()));
      continue;
    }
    const VerifyReport report = verify(each.fabric, each.tables);
    if (report.forwarding_loops != 0) {
      throw Error(ErrorKind::verification_failed,
                  fmt::format("{}: the tables have {} forwarding loops; recompute them (pssp eval "
                              "reports each loop)",
                              each.name, report.forwarding_loops));
    }
    if (!report.has_credit_loop()) continue;
    const bool has_levels = input.levels && &each == &input.tables.front();
    if (!has_levels) {
      each.warnings.push_back(
          fmt::format("{}: the tables have a credit loop; the fabric may deadlock on one virtual "
                      "lane (pssp route --lanes computes service levels that prevent it)",
                      each.name));
    } else if (!lanes_break_loops(options, input)) {
      each.warnings.push_back(
          fmt::format("{}: the tables have a credit loop on a virtual lane; the fabric may "
                      "deadlock (without --vls and --sl2vl, each service level has its own lane)",
                      each.name));
    }
  }
}

}  // namespace pssp
