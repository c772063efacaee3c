#include "tools/compare_fabric/options.h"

#include <utility>

#include "base/error.h"
#include "routing/engines/engine.h"
#include "tools/kit/command_line.h"

namespace pssp {
namespace {

constexpr const char* description =
    "Is a fabric cabled as planned? Compares two topologies, or a cabling list with a topology, "
    "and says with the fewest moves what is swapped, moved, missing or too much.";

/// Plan and fabric, from files and times; the plan comes first.
void take_sides(CompareFabricOptions& options, std::vector<std::string> files) {
  if (options.database.empty() != options.times.empty()) {
    throw Error(ErrorKind::usage,
                "a time of a database needs both: -d DATABASE --at TIME, once for the fabric, or "
                "twice for what is compared");
  }
  const bool has_plan = !options.plans.empty();
  const std::size_t wanted = options.rules || has_plan ? 1 : 2;
  if (options.rules && (has_plan || !options.map.empty() || !options.engine.empty() ||
                        files.size() + options.times.size() != wanted)) {
    throw Error(ErrorKind::usage,
                "--rules looks at a fabric without a plan: compare_fabric --rules FABRIC");
  }
  // With --plan two files have always been parts of a plan and a fabric.
  if (has_plan && options.times.empty() && files.size() == 2) {
    options.plans.insert(options.plans.begin(), files.front());
    files.erase(files.begin());
  }
  if (files.size() + options.times.size() != wanted) {
    throw Error(ErrorKind::usage,
                "expected a plan and a fabric: compare_fabric PLAN FABRIC, or compare_fabric -d "
                "DATABASE --at TIME --at TIME; see --help");
  }
  if (options.times.empty()) {
    options.fabric = files.back();
    files.pop_back();
  }
  if (!files.empty()) options.plans = std::move(files);
}

}  // namespace

std::optional<CompareFabricOptions> parse_compare_fabric_options(int argc,
                                                                 const char* const* argv) {
  CompareFabricOptions options;
  std::vector<std::string> files;
  CommandLine line("compare_fabric", description);
  line.option("FILE", files,
              "Plan and fabric: a topology of any kind, a cabling list (CSV), make:\"SPEC\" as "
              "make_topo has it; then the topology that there is; - is standard input")
      .values(1, 2)
      .reads();
  line.option("--plan", options.plans,
              "A plan, or a part of one (a list of switches, a list of hosts); repeatable")
      .one_at_a_time()
      .type_name("FILE")
      .reads();
  line.option("-d,--database", options.database,
              "Database of monitor_fabric, which has the fabric as it was; with --at")
      .type_name("FILE")
      .reads();
  line.option(
          "--at", options.times,
          "The fabric is that of this time (2026-01-31T12:00:00Z, -6h, now ..); twice: what was "
          "and what is compared with it")
      .one_at_a_time()
      .type_name("TIME");
  line.flag("--rules", options.rules,
            "Without a plan: rails, ports and speeds that differ from those of their fellows");
  line.option("--node-names", options.node_names,
              "With --rules: which part of a description is the node's name, and which the "
              "adapter's: a regular expression with one or two groups")
      .type_name("REGEX");
  line.option("--node-name-map", options.node_name_map,
              "Names of the fabric's nodes by GUID, as infiniband-diags take them")
      .type_name("FILE")
      .reads();
  const Option engine =
      line.option(
              "--engine", options.engine,
              "What it costs: routes plan and fabric by this engine (best, pssp ..) and compares "
              "bandwidth and structured traffic")
          .type_name("NAME");
  line.option("--patterns", options.patterns, "Random bisections of --engine")
      .range(1, 1'000'000)
      .needs(engine)
      .show_default();
  line.option("--tables", options.tables,
              "Forwarding tables that are in force, measured beside those of --engine")
      .type_name("FILE")
      .needs(engine)
      .reads();
  line.option("--map", options.map, "File for who is who in plan and fabric")
      .type_name("FILE")
      .writes();
  line.flag("--json", options.json, "Everything as JSON");
  line.option("-o,--output", options.output, "File for the answer; - is standard output")
      .show_default()
      .writes();
  line.footer("Exit code 0: cabled as planned; 7: not.");
  if (!line.parse(argc, argv)) return std::nullopt;
  take_sides(options, std::move(files));
  if (!options.rules && !options.node_names.empty()) {
    throw Error(ErrorKind::usage, "--node-names is for --rules");
  }
  if (!options.engine.empty()) static_cast<void>(find_engine(options.engine));
  return options;
}

}  // namespace pssp
