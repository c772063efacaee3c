#include "tools/compare_fabric/options.h"

#include <utility>

#include "base/error.h"
#include "routing/engines/engine.h"
#include "tools/kit/command_line.h"

namespace pssp {
namespace {

constexpr const char* description =
    "Compares the cabling of a fabric with its plan, and reports cables that are swapped, moved, "
    "missing or extra.";

/// Plan and fabric, from files and times; the plan comes first.
void take_sides(CompareFabricOptions& options, std::vector<std::string> files) {
  if (options.database.empty() != options.times.empty()) {
    throw Error(ErrorKind::usage,
                "--database and --at go together: -d DATABASE --at TIME for the fabric, or --at "
                "twice to compare two times");
  }
  const bool has_plan = !options.plans.empty();
  const std::size_t wanted = options.rules || has_plan ? 1 : 2;
  if (options.rules && (has_plan || !options.map.empty() || !options.engine.empty() ||
                        files.size() + options.times.size() != wanted)) {
    throw Error(ErrorKind::usage,
                "--rules checks a fabric without a plan: pssp compare-fabric --rules FABRIC");
  }
  // With --plan, two files are always parts of a plan and a fabric.
  if (has_plan && options.times.empty() && files.size() == 2) {
    options.plans.insert(options.plans.begin(), files.front());
    files.erase(files.begin());
  }
  if (files.size() + options.times.size() != wanted) {
    throw Error(
        ErrorKind::usage,
        "expected a plan and a fabric: pssp compare-fabric PLAN FABRIC, or pssp compare-fabric -d "
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
              "Plan (topology, cabling list in CSV, or make:\"SPEC\" for pssp make-topo), then the "
              "topology of the fabric; - is standard input")
      .values(1, 2)
      .usage("PLAN FABRIC")
      .reads();
  line.option("--plan", options.plans,
              "Plan, or a part of it (a list of switches, a list of hosts); repeatable")
      .one_at_a_time()
      .reads();
  line.option("-d,--database", options.database,
              "Database of pssp monitor with the recorded fabric; with --at")
      .reads();
  line.option("--at", options.times,
              "Use the fabric of this time (2026-01-31T12:00:00Z, -6h, now ..); twice: compare the "
              "fabrics of two times")
      .one_at_a_time()
      .type_name("TIME");
  line.flag("--rules", options.rules,
            "Check without a plan: report rails, ports and speeds that differ from those of "
            "similar nodes");
  line.option("--node-names", options.node_names,
              "With --rules: regular expression whose groups match the names of node and adapter "
              "in a description")
      .type_name("REGEX");
  line.option("--node-name-map", options.node_name_map,
              "Node names by GUID, in the format of infiniband-diags")
      .reads();
  const Option engine = line.option("-e,--engine", options.engine,
                                    "Also route plan and fabric with this engine (best, pssp ..), "
                                    "and compare bandwidth and structured traffic")
                            .type_name("NAME");
  line.option("-n,--patterns", options.patterns, "Random bisections for --engine")
      .range(1, 1'000'000)
      .needs(engine)
      .show_default();
  line.option("--tables", options.tables,
              "Forwarding tables in force, to evaluate next to those of --engine")
      .needs(engine)
      .reads();
  line.option("--map", options.map,
              "Write which node of the plan is which node of the fabric to FILE")
      .writes();
  line.flag("--json", options.json, "Write everything as JSON");
  line.output(options.output);
  line.footer("Exit codes: 0 cabled as planned, 7 differences found.");
  if (!line.parse(argc, argv)) return std::nullopt;
  take_sides(options, std::move(files));
  if (!options.rules && !options.node_names.empty()) {
    throw Error(ErrorKind::usage, "--node-names is for --rules");
  }
  if (!options.engine.empty()) static_cast<void>(find_engine(options.engine));
  return options;
}

}  // namespace pssp
