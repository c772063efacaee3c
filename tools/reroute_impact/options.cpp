#include "tools/reroute_impact/options.h"

#include "tools/kit/command_line.h"

namespace pssp {
namespace {

constexpr const char* what_it_does =
    "What did a change of forwarding tables do? Compares the tables before and after it: which "
    "flows have another path, none any more, or another lane, what is written to how many "
    "switches, which channels carry more or less than before, and what flows suffer while the "
    "blocks of the tables are written one after the other.";

}  // namespace

std::optional<RerouteOptions> parse_reroute_options(int argc, const char* const* argv) {
  RerouteOptions options;
  CommandLine line("reroute_impact", what_it_does);
  line.option("before.lft", options.before, "Tables before the change; - is standard input")
      .required()
      .reads();
  line.option("after.lft", options.after, "Tables after it").required().reads();
  line.option("topo.osm", options.topology, "The fabric before the change").required().reads();
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
  line.option("--order", options.order,
              "Order in which the blocks were written: GUID BLOCK a line (default: as opensm does)")
      .type_name("FILE")
      .reads();
  line.option("--orders", options.orders, "Random orders that are tried besides")
      .range(0, 100'000)
      .show_default();
  line.option("--seed", options.seed, "Seed of the random orders").show_default();
  line.option("-j,--threads", options.threads, "Threads (default: all cores)").range(1, 4096);
  line.flag("--aggregation-nodes", options.aggregation_nodes,
            "Count aggregation nodes (SHARP) among the hosts");
  line.flag("--json", options.json,
            "As JSON, with every channel whose load changes and every order");
  line.option("-o,--output", options.output, "File for the answer; - is standard output")
      .show_default()
      .writes();
  if (!line.parse(argc, argv)) return std::nullopt;
  return options;
}

}  // namespace pssp
