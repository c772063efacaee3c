#include "tools/locate_slow/options.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/shown.h"
#include "tools/kit/command_line.h"

namespace pssp {
namespace {

constexpr const char* about =
    "Which cable is slow? Takes rates that were measured between nodes, what the forwarding tables "
    "alone make of them, and names the cables, adapters and nodes that explain the difference.";

}  // namespace

std::optional<SlowOptions> parse_slow_options(int argc, const char* const* argv) {
  SlowOptions options;
  CommandLine line("locate_slow", about);
  line.option("tables", options.tables, "Forwarding tables of the time of the measurement")
      .required()
      .type_name("FILE")
      .reads();
  line.option("topology", options.topology, "Topology").required().type_name("FILE").reads();
  line.option("rates", options.rates,
              "Rates: lines 'round source destination rate', or the output of mpiGraph, nccl-tests "
              "or ib_write_bw; - is standard input")
      .required()
      .type_name("FILE")
      .reads();
  options.fabric.add_options(line);
  line.option("--full", options.full,
              "Rate of a link at full speed, in the unit of the rates (default: estimated from the "
              "fastest "
              "ones)")
      .range(1e-9, 1e18)
      .type_name("RATE");
  std::string unit;
  line.option("--unit", unit,
              "Unit of rates in lines (Gbit/s, GB/s, MB/s, MiB/s, ...), which compares them with "
              "the speed of the links")
      .type_name("UNIT");
  line.flag("--both-ways", options.both_ways,
            "Lines of rates are of both directions at once, as of ClusterKit");
  line.option(
          "--next", options.next,
          "File for one or two further rounds of pairs, which tell apart what these rates cannot")
      .type_name("FILE")
      .writes();
  line.option("--seed", options.seed, "Seed of --next").show_default();
  line.option("-d,--database", options.database,
              "Database of monitor_fabric: also what it counted and held of the ports of what is "
              "slow")
      .type_name("FILE")
      .reads();
  line.option("--since", options.since,
              "Beginning of the measurement (2026-01-31T12:00:00Z, -6h, ...; default: of the "
              "database)")
      .type_name("TIME");
  line.option("--until", options.until, "Its end").type_name("TIME");
  line.option("--recording", options.recording,
              "Instead of times: a recording of monitor_fabric by its name")
      .type_name("NAME");
  line.flag("--json", options.json, "Everything as JSON");
  line.option("-o,--output", options.output, "File for the answer; - is standard output")
      .show_default()
      .writes();
  line.footer(
      "Exit status 7: something is slow: what the report names, or all rates, or more of them than "
      "it can explain.");
  if (!line.parse(argc, argv)) return std::nullopt;
  if (!unit.empty()) {
    const std::optional<RateUnit> known = parse_rate_unit(unit);
    if (!known) {
      throw Error(
          ErrorKind::usage,
          fmt::format("--unit '{}': expected Gbit/s, GB/s, MB/s, MiB/s or the like", shown(unit)));
    }
    options.unit = *known;
  }
  const bool has_times = !options.since.empty() || !options.until.empty();
  if (options.database.empty() && (has_times || !options.recording.empty())) {
    throw Error(ErrorKind::usage, "--since, --until and --recording are for --database");
  }
  if (has_times && !options.recording.empty()) {
    throw Error(ErrorKind::usage, "--recording has its own time: leave --since and --until out");
  }
  return options;
}

}  // namespace pssp
