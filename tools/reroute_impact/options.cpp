#include "tools/reroute_impact/options.h"

#include <fmt/format.h>

#include "base/error.h"
#include "tools/kit/command_line.h"
#include "tools/kit/fabric_options.h"

namespace pssp {
namespace {

constexpr const char* what_it_does =
    "Reports the effects of a change of forwarding tables: moved and lost flows, channel loads, "
    "written blocks and transient states.";

void add_live_options(CommandLine& line, RerouteOptions& options) {
  line.heading("Watching a fabric");
  line.flag("--live", options.live,
            "Watch the tables of the live fabric, and report the effects of each change");
  line.option("--for", options.live_s, "Seconds to watch (default: until Ctrl-C)")
      .range(0.1, 1e7)
      .type_name("S");
  line.option("--jobs", options.jobs, "Job file; report the moved flows of each job").reads();
  line.option("--mkey-file", options.m_key_file,
              "File with the M_Key, if the fabric protects its PortInfo")
      .reads();
  line.heading("");
  // Lost requests are repeated in another way, so they should time out soon.
  options.port.timeout_ms = 100;
  options.port.retries = 0;
  options.port.add_options(line);
}

void require_what_is_needed(const CommandLine& line, const RerouteOptions& options) {
  if (options.live) {
    for (const char* const file :
         {"BEFORE", "--after-topology", "--traffic", "--service-levels", "--order", "--orders"}) {
      if (!line.given(file)) continue;
      throw Error(
          ErrorKind::usage,
          fmt::format("{} is for tables in files and cannot be combined with --live", file));
    }
    return;
  }
  if (options.topology.empty()) {
    throw Error(
        ErrorKind::usage,
        "expected three files (tables before and after the change, and the topology), or --live");
  }
  for (const char* const option : {"--for", "--jobs", "--mkey-file"}) {
    if (!line.given(option)) continue;
    throw Error(ErrorKind::usage, fmt::format("{} needs --live", option));
  }
}

}  // namespace

std::optional<RerouteOptions> parse_reroute_options(int argc, const char* const* argv) {
  RerouteOptions options;
  CommandLine line("reroute_impact", what_it_does);
  line.option("BEFORE", options.before, "Tables before the change; - is standard input").reads();
  line.option("AFTER", options.after, "Tables after the change").reads();
  line.option("TOPOLOGY", options.topology, "Topology before the change").reads();
  line.option("--after-topology", options.after_topology,
              "Topology after the change (default: the same)")
      .reads();
  line.option("--traffic", options.traffic,
              "Pattern file with the flows to count and their bytes (default: all pairs of hosts)")
      .reads();
  line.option("--service-levels", options.levels,
              "Service levels before and after (pssp route --lanes, the plugin's dump)")
      .values(2, 2)
      .reads();
  line.option("--order", options.order,
              "Order in which the blocks were written: one GUID BLOCK per line, or GUID BLOCK N us "
              "with the microseconds since the fault (default: opensm's order)")
      .reads();
  line.option("--orders", options.orders, "Number of random orders to try as well")
      .range(0, 100'000)
      .show_default();
  line.option("--seed", options.seed, "Seed of the random orders").show_default();
  line.option("-j,--threads", options.threads, "Threads (default: all cores)").range(1, 4096);
  add_endpoint_options(line, options.roles);
  line.flag("--json", options.json,
            "Write JSON, with every channel whose load changes and every order");
  line.output(options.output);
  add_live_options(line, options);
  if (!line.parse(argc, argv)) return std::nullopt;
  require_what_is_needed(line, options);
  return options;
}

}  // namespace pssp
