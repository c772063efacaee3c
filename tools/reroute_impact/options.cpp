#include "tools/reroute_impact/options.h"

#include <fmt/format.h>

#include "base/error.h"
#include "tools/kit/command_line.h"
#include "tools/kit/endpoint_options.h"

namespace pssp {
namespace {

constexpr const char* what_it_does =
    "What did a change of forwarding tables do? Compares the tables before and after it: which "
    "flows have another path, none any more, or another lane, what is written to how many "
    "switches, which channels carry more or less than before, and what flows suffer while the "
    "blocks of the tables are written one after the other.";

constexpr const char* live_group = "Watching a fabric";

void add_live_options(CommandLine& line, RerouteOptions& options) {
  line.flag("--live", options.live,
            "Watch the tables of this machine's fabric, and say of each change what it did")
      .group(live_group);
  line.option("--for", options.live_s, "Watch so many seconds (default: until Ctrl-C)")
      .range(0.1, 1e7)
      .type_name("S")
      .group(live_group);
  line.option("--jobs", options.jobs, "Jobs, of which is said what moved (a job file)")
      .type_name("FILE")
      .reads()
      .group(live_group);
  line.option("--mkey-file", options.m_key_file,
              "File with the M_Key of a fabric that hides its PortInfo")
      .type_name("FILE")
      .reads()
      .group(live_group);
  // What was lost is asked again another way, so it should be given up soon.
  options.port.timeout_ms = 100;
  options.port.retries = 0;
  options.port.add_options(line);
}

void require_what_is_needed(const CommandLine& line, const RerouteOptions& options) {
  if (options.live) {
    for (const char* const file : {"before.lft", "--after-topology", "--traffic",
                                   "--service-levels", "--order", "--orders"}) {
      if (!line.given(file)) continue;
      throw Error(
          ErrorKind::usage,
          fmt::format("--live reads tables from the fabric; {} is for tables in files", file));
    }
    return;
  }
  if (options.topology.empty()) {
    throw Error(ErrorKind::usage,
                "three files are required: tables before and after the change, and the topology; "
                "or --live");
  }
  for (const char* const option : {"--for", "--jobs", "--mkey-file"}) {
    if (!line.given(option)) continue;
    throw Error(ErrorKind::usage, fmt::format("{} is for --live", option));
  }
}

}  // namespace

std::optional<RerouteOptions> parse_reroute_options(int argc, const char* const* argv) {
  RerouteOptions options;
  CommandLine line("reroute_impact", what_it_does);
  line.option("before.lft", options.before, "Tables before the change; - is standard input")
      .reads();
  line.option("after.lft", options.after, "Tables after it").reads();
  line.option("topo.osm", options.topology, "The fabric before the change").reads();
  line.option("--after-topology", options.after_topology,
              "The fabric after the change (default: the same)")
      .type_name("FILE")
      .reads();
  line.option("--traffic", options.traffic,
              "Flows that count, with their bytes (a pattern file; default: all pairs of hosts)")
      .type_name("FILE")
      .reads();
  line.option("--service-levels", options.levels,
              "Service levels before and after (route_lft --layers, the plugin's dump)")
      .values(2, 2)
      .type_name("FILE")
      .reads();
  line.option(
          "--order", options.order,
          "Order in which the blocks were written: GUID BLOCK a line, or GUID BLOCK N us with the "
          "microseconds since the fault (default: as opensm does)")
      .type_name("FILE")
      .reads();
  line.option("--orders", options.orders, "Random orders that are tried besides")
      .range(0, 100'000)
      .show_default();
  line.option("--seed", options.seed, "Seed of the random orders").show_default();
  line.option("-j,--threads", options.threads, "Threads (default: all cores)").range(1, 4096);
  add_endpoint_options(line, options.roles);
  line.flag("--json", options.json,
            "As JSON, with every channel whose load changes and every order");
  line.option("-o,--output", options.output, "File for the answer; - is standard output")
      .show_default()
      .writes();
  add_live_options(line, options);
  if (!line.parse(argc, argv)) return std::nullopt;
  require_what_is_needed(line, options);
  return options;
}

}  // namespace pssp
