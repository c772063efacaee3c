#include "tools/fault_impact/options.h"

#include "base/error.h"
#include "base/printable.h"
#include "routing/engines/engine.h"
#include "tools/kit/command_line.h"
#include "tools/kit/fabric_options.h"

namespace pssp {
namespace {

constexpr const char* description =
    "Ranks links and switches by how much their failure would cost.";

constexpr const char* from_scratch = "scratch:";

void take_repair(const std::string& text, FaultOptions& options) {
  if (text == "stable") return;
  if (text == "none" || text == "baseline") {
    options.repair = text == "none" ? Repair::none : Repair::baseline;
    return;
  }
  if (!text.starts_with(from_scratch) || text == from_scratch) {
    throw Error(ErrorKind::usage, "--repair '" + excerpt(text) +
                                      "': expected stable, baseline, scratch:ENGINE or none");
  }
  options.repair = Repair::from_scratch;
  options.engine = text.substr(std::string(from_scratch).size());
  static_cast<void>(find_engine(options.engine));
}

}  // namespace

std::optional<FaultOptions> parse_fault_options(int argc, const char* const* argv) {
  FaultOptions options;
  std::string repair = "stable";
  CommandLine line("fault_impact", description);
  add_tables_and_topology(line, options.files).required();
  line.option("--links", options.links,
              "Links between switches to fail, one at a time: all, a number of random links, or a "
              "file with one SWITCH PORT per line (default: all, unless --switches is given)")
      .type_name("WHICH")
      .mentions();
  line.option("--switches", options.switches,
              "Switches to fail, one at a time: all, a number of random switches, or a file with "
              "one switch per line")
      .type_name("WHICH")
      .mentions();
  line.option("-n,--patterns", options.patterns,
              "Number of random bisections, the same for all faults")
      .range(1, 1'000'000)
      .show_default();
  line.option("--seed", options.seed, "Random seed of the bisections and faults").show_default();
  line.option(
          "--repair", repair,
          "Response to a fault: stable (repair the broken entries), baseline (repair as opensm "
          "does with stable=on, with these tables as baseline), scratch:ENGINE (route the damaged "
          "fabric from scratch) or none")
      .type_name("HOW")
      .show_default();
  line.option("-j,--threads", options.threads, "Threads (default: all cores)").range(1, 4096);
  line.flag("--json", options.json, "Write everything as JSON, with every fault");
  line.output(options.output);
  if (!line.parse(argc, argv)) return std::nullopt;
  take_repair(repair, options);
  if (options.links.empty() && options.switches.empty()) options.links = "all";
  return options;
}

}  // namespace pssp
