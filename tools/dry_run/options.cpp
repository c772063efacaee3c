#include "tools/dry_run/options.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/error.h"
#include "base/shown.h"
#include "ibsim_harness/engine_spec.h"
#include "tools/kit/command_line.h"

namespace pssp {
namespace {

constexpr const char* description =
    "Lets the stock opensm route a fabric that ibsim plays, without hardware and without root "
    "rights, and evaluates the tables. Without --topo the fabric is one like the CHiC cluster (528 "
    "hosts). Without --engine pssp and p2ssp are compared with opensm's own sssp, ftree and minhop "
    "in one table.";

constexpr const char* footer =
    "What stands behind -- are options of opensm's command line.\n\n"
    "DIR then holds routing.lft (what the switches hold), opensm.log, opensm.conf, opensm.out, "
    "ibsim.log and report.txt or report.json; with several engines each has a folder DIR/ENGINE. "
    "Any number of dry runs may go on side by side; an interrupted one leaves no process "
    "behind.\n\n"
    "PSSP_BUILD_DIR  the build whose plugin and tools are used (default: this one)\n"
    "SIM_HOST        identifier of the adapter at which opensm runs (default: the first of the "
    "largest island)\n\n"
    "Exit codes: 0 done, 2 usage, 3 unreadable topology, 5 opensm used another engine than asked "
    "for (its reason is printed; when no engine was named, opensm's own may refuse), 8 DIR cannot "
    "be written or holds other files, 20 a tool or the plugin is missing, or opensm did not load "
    "the plugin, 21 ibsim or opensm failed or took too long; others are eval_lft's.";

/// What is compared when no engine is named: ours, then the best of opensm's.
constexpr std::array compared_engines{"pssp", "p2ssp", "sssp", "ftree", "minhop"};

void check_engines(const std::vector<std::string>& engines) {
  for (auto engine = engines.begin(); engine != engines.end(); ++engine) {
    if (!is_engine_list(*engine)) {
      throw Error(ErrorKind::usage, "--engine '" + shown(*engine) +
                                        "' is no engine's name, nor a list of them with commas");
    }
    if (std::find(engines.begin(), engine, *engine) != engine)
      throw Error(ErrorKind::usage, "--engine " + *engine + " was given twice");
  }
}

void check_settings(const std::vector<std::string>& settings) {
  for (const std::string& each : settings) {
    if (is_setting(each)) continue;
    throw Error(ErrorKind::usage, "--set '" + shown(each) +
                                      "': expected NAME=VALUE, without blanks and control "
                                      "characters");
  }
}

}  // namespace

std::optional<DryRunOptions> parse_dry_run_options(int argc, const char* const* argv) {
  DryRunOptions options;
  const auto* const end = argv + argc;
  const auto* const behind = std::find(argv, end, std::string_view("--"));
  if (behind != end) options.opensm_options.assign(behind + 1, end);
  CommandLine line("dry_run", description);
  line.option("--engine", options.engines,
              "Engine, or a list as opensm's -R takes it; repeatable, which gives a table")
      .one_at_a_time()
      .type_name("NAME");
  line.option("--topo", options.topology, "ibnetdiscover output or an ibsim net file")
      .type_name("FILE")
      .reads();
  line.option("--out", options.out, "Where results go (default: a new folder in ./out)")
      .type_name("DIR");
  line.option("--patterns", options.patterns, "Random bisections (default: eval_lft's)")
      .type_name("N");
  line.option("--seed", options.seed, "Seed of the bisections (default: eval_lft's)")
      .type_name("S");
  line.option("--set", options.settings,
              "Option of our engines, as in event_plugin_options; repeatable")
      .one_at_a_time()
      .type_name("NAME=VALUE");
  line.option("--conf", options.configuration, "Lines to add to opensm.conf")
      .type_name("FILE")
      .reads();
  line.option("--timeout", options.timeout,
              "Give up on opensm after that time (default: 120, and one for each four nodes)")
      .range(1, 999999999)
      .type_name("SECONDS");
  line.flag("--json", options.json, "One JSON object (an array for several engines), not text");
  line.footer(footer);
  if (!line.parse(static_cast<int>(behind - argv), argv)) return std::nullopt;
  options.is_named = !options.engines.empty();
  if (!options.is_named) options.engines.assign(compared_engines.begin(), compared_engines.end());
  check_engines(options.engines);
  check_settings(options.settings);
  for (const std::string& engine : options.engines) {
    require_valid_settings(options.settings, engine);
  }
  return options;
}

}  // namespace pssp
