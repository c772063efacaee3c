#include "tools/route_lft/lanes.h"

#include <fmt/format.h>

#include "base/error.h"

namespace pssp {
namespace {

void require_lanes(const LaneAssignment& assignment, unsigned allowed) {
  if (assignment.needed <= allowed) return;
  const std::string found =
      assignment.needed <= max_data_lanes
          ? fmt::format("{} virtual lanes are needed, --lanes allows {}", assignment.needed,
                        allowed)
          : fmt::format("the routes need more than the {} data virtual lanes of InfiniBand",
                        max_data_lanes);
  throw Error(
      ErrorKind::unsuitable_topology,
      fmt::format("{}; nothing was written: allow more lanes if the ports have them, use an engine "
                  "whose routes need fewer (best, or updown, which needs one), or search longer "
                  "(--lane-effort)",
                  found));
}

}  // namespace

void LaneRequest::add_options(CommandLine& line) {
  line.heading("Virtual lanes");
  line.option("--lanes", options.max_lanes,
              "Assign the routes to at most N virtual lanes so that none can deadlock")
      .range(1, max_data_lanes)
      .type_name("N")
      .show_default();
  line.option("--service-levels", file,
              "Write the service levels to FILE (default: name of the tables with .sl appended)")
      .type_name("FILE");
  line.flag("--reversible", options.reversible,
            "Use the same service level for both directions between two switches (needs more "
            "lanes)");
  line.flag("--balance", options.balance,
            "Spread the routes over all N lanes even if fewer suffice");
  line.flag("--end-ports-only", end_ports_only_,
            "Omit the routes to and from the management ports of switches");
  line.option("--lane-effort", options.effort, "Search N times as long for fewer lanes")
      .range(1, 1000)
      .show_default();
  line.heading("");
}

/// Options for lanes in --set or a file of options, unless the command line overrides them.
void LaneRequest::take(const CommandLine& line, const PluginOptions& settings) {
  const DeadlockOptions& given = settings.deadlock;
  options.reversible = options.reversible || given.reversible;
  options.balance = options.balance || given.spread_lanes;
  if (!line.given("--lane-effort")) options.effort = given.effort;
  if (settings.is_given("deadlock.budget")) options.budget = 1'000'000 * given.budget;
}

void LaneRequest::complete(const CommandLine& line, const PluginOptions& settings,
                           const std::string& tables) {
  wanted = line.given("--lanes") || line.given("--service-levels");
  options.switch_ports = !end_ports_only_;
  take(line, settings);
  for (const char* option : {"--reversible", "--balance", "--end-ports-only", "--lane-effort"}) {
    if (!wanted && line.given(option)) {
      throw Error(ErrorKind::usage,
                  fmt::format("{} concerns virtual lanes; add --lanes N", option));
    }
  }
  if (!wanted || !file.empty()) return;
  if (tables == "-") {
    throw Error(ErrorKind::usage,
                "--lanes: the service levels need a file if the tables go to standard output; add "
                "--service-levels FILE or -o FILE");
  }
  file = tables + ".sl";
}

bool needs_no_more_lanes(const Fabric& fabric, const ForwardingTables& tables,
                         const LaneOptions& options) {
  LaneOptions quick = options;
  quick.insist = false;
  return assign_lanes(fabric, tables, quick).needed <= options.max_lanes;
}

LaneOutcome assign_and_prove(const Fabric& fabric, const ForwardingTables& tables,
                             const LaneOptions& options, unsigned repeat) {
  LaneOutcome outcome;
  for (unsigned i = 0; i < repeat; ++i) {
    outcome.assignment =
        outcome.assign_time.measure([&] { return assign_lanes(fabric, tables, options); });
    require_lanes(outcome.assignment, options.max_lanes);
    outcome.proof = outcome.prove_time.measure([&] {
      return verify_lanes(fabric, tables, outcome.assignment.service_levels,
                          {options.switch_ports});
    });
  }
  if (outcome.proof.is_deadlock_free()) return outcome;
  throw Error(
      ErrorKind::internal,
      fmt::format(
          "internal error: the assignment of virtual lanes is wrong: {}; please report it with "
          "the topology",
          describe_deadlock(fabric, outcome.proof)));
}

}  // namespace pssp
