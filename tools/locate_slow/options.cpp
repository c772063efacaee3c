#include "tools/locate_slow/options.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "tools/kit/command_line.h"

namespace pssp {
namespace {

constexpr const char* about =
    "Locates slow cables, adapters and nodes from rates measured between nodes and the forwarding "
    "tables.";

}  // namespace

std::optional<SlowOptions> parse_slow_options(int argc, const char* const* argv) {
  SlowOptions options;
  CommandLine line("locate_slow", about);
  line.option("TABLES", options.tables, "Forwarding tables at the time of the measurement")
      .required()
      .reads();
  line.option("TOPOLOGY", options.topology, "Topology").required().reads();
  line.option("RATES", options.rates,
              "Measured rates: lines 'round source destination rate', or the output of mpiGraph, "
              "nccl-tests or ib_write_bw; - is standard input")
      .required()
      .reads();
  options.fabric.add_options(line);
  line.option("--full", options.full,
              "Rate of a link at full speed, in the unit of the rates (default: estimated from the "
              "fastest rates)")
      .range(1e-9, 1e18)
      .type_name("RATE");
  std::string unit;
  line.option("--unit", unit,
              "Unit of the rates (Gbit/s, GB/s, MB/s, MiB/s, ...), to compare them with the link "
              "speeds")
      .type_name("UNIT");
  line.flag("--both-directions", options.both_ways,
            "Treat each rate as the sum of both directions, as in ClusterKit");
  line.option("--next", options.next,
              "Write one or two further rounds of pairs to FILE, to separate suspects that these "
              "rates cannot")
      .writes();
  line.option("--seed", options.seed, "Random seed of --next").show_default();
  line.option("-d,--database", options.database,
              "Database of pssp monitor, to report events and verdicts for the slow ports")
      .reads();
  line.option("--since", options.since,
              "Start of the measurement (2026-01-31T12:00:00Z, -6h, ...; default: start of the "
              "database)")
      .type_name("TIME");
  line.option("--until", options.until, "End of the measurement").type_name("TIME");
  line.option("--recording", options.recording,
              "Name of a recording of pssp monitor, instead of --since and --until")
      .type_name("NAME");
  line.flag("--json", options.json, "Write everything as JSON");
  line.output(options.output);
  line.footer(
      "Exit status 7: slow objects were found, all rates are low, or too many low rates are "
      "unexplained.");
  if (!line.parse(argc, argv)) return std::nullopt;
  if (!unit.empty()) {
    const std::optional<RateUnit> known = parse_rate_unit(unit);
    if (!known) {
      throw Error(ErrorKind::usage,
                  fmt::format("--unit '{}': expected a unit such as Gbit/s, GB/s, MB/s or MiB/s",
                              excerpt(unit)));
    }
    options.unit = *known;
  }
  const bool has_times = !options.since.empty() || !options.until.empty();
  if (options.database.empty() && (has_times || !options.recording.empty())) {
    throw Error(ErrorKind::usage, "--since, --until and --recording need --database");
  }
  if (has_times && !options.recording.empty()) {
    throw Error(ErrorKind::usage, "--recording cannot be combined with --since or --until");
  }
  return options;
}

}  // namespace pssp
