#include "tools/fault_impact/options.h"

#include "base/error.h"
#include "base/shown.h"
#include "routing/engines/engine.h"
#include "tools/kit/command_line.h"

namespace pssp {
namespace {

constexpr const char* description =
    "What does each single fault cost? Takes every link (or switch) out of the fabric by itself, "
    "repairs the tables or routes anew, and says what is left of bandwidth and of structured "
    "traffic, and how many entries changed.";

constexpr const char* anew = "anew:";

void take_repair(const std::string& text, FaultOptions& options) {
  if (text == "stable") return;
  if (text == "none" || text == "home") {
    options.repair = text == "none" ? Repair::none : Repair::home;
    return;
  }
  if (!text.starts_with(anew) || text == anew) {
    throw Error(ErrorKind::usage,
                "--repair '" + shown(text) + "': expected stable, home, anew:ENGINE or none");
  }
  options.repair = Repair::anew;
  options.engine = text.substr(std::string(anew).size());
  static_cast<void>(find_engine(options.engine));
}

}  // namespace

std::optional<FaultOptions> parse_fault_options(int argc, const char* const* argv) {
  FaultOptions options;
  std::string repair = "stable";
  CommandLine line("fault_impact", description);
  line.option(
          "files", options.files,
          "Tables and topology (routing.lft topo.osm), or one file that has both; - is standard "
          "input")
      .required()
      .values(1, 2)
      .type_name("FILE")
      .reads();
  line.option(
          "--links", options.links,
          "Links between switches that fail, each by itself: all, a number of random ones, or a "
          "file with SWITCH PORT a line (default: all, unless --switches is given)")
      .type_name("WHICH")
      .mentions();
  line.option("--switches", options.switches,
              "Switches that fail, each by itself: all, a number, or a file with a switch a line")
      .type_name("WHICH")
      .mentions();
  line.option("--patterns", options.patterns, "Random bisections, the same for all faults")
      .range(1, 1'000'000)
      .show_default();
  line.option("--seed", options.seed, "Seed of the bisections and of the random faults")
      .show_default();
  line.option("--repair", repair,
              "What is done about a fault: stable (what is broken is mended), home (as opensm does "
              "with stable=on, the tables being home), anew:ENGINE (the engine routes the damaged "
              "fabric), or none")
      .type_name("HOW")
      .show_default();
  line.option("-j,--threads", options.threads, "Threads (default: all cores)").range(1, 4096);
  line.flag("--json", options.json, "Everything as JSON, every fault of it");
  line.option("-o,--output", options.output, "File for the answer; - is standard output")
      .show_default()
      .writes();
  if (!line.parse(argc, argv)) return std::nullopt;
  take_repair(repair, options);
  if (options.links.empty() && options.switches.empty()) options.links = "all";
  return options;
}

}  // namespace pssp
