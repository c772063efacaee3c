#include "tools/dry_run/options.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/error.h"
#include "base/printable.h"
#include "ibsim_harness/engine_spec.h"
#include "tools/kit/command_line.h"

namespace pssp {
namespace {

constexpr const char* description =
    "Routes a fabric simulated by ibsim with the stock opensm and evaluates the tables. "
    "Needs no InfiniBand hardware and no root privileges.";

constexpr const char* footer =
    "Arguments after -- are passed to opensm.\n"
    "\n"
    "The results in DIR are routing.lft (tables of the switches), opensm.log, "
    "opensm.conf, opensm.out, ibsim.log and report.txt or report.json; with several "
    "engines each has a folder DIR/ENGINE. Several dry runs can run at the same time; an "
    "interrupted dry run leaves no process behind.\n"
    "\n"
    "PSSP_BUILD_DIR  build whose plugin and tools are used (default: this one)\n"
    "SIM_HOST        identifier of the adapter that opensm runs on (default: the first "
    "adapter of the largest island)\n"
    "\n"
    "Exit codes: 0 done, 2 usage, 3 unreadable topology, 5 opensm used another engine "
    "than requested (the reason is printed; without --engine, opensm's own engines may "
    "refuse), 8 DIR cannot be written or has other files, 20 a tool or the plugin is "
    "missing, or opensm did not load the plugin, 21 ibsim or opensm failed or took too "
    "long; others as for pssp eval.";

/// The default comparison: engines of the plugin, then the best of opensm's.
constexpr std::array compared_engines{"pssp", "p2ssp", "sssp", "ftree", "minhop"};

void check_engines(const std::vector<std::string>& engines) {
  for (auto engine = engines.begin(); engine != engines.end(); ++engine) {
    if (!is_engine_list(*engine)) {
      throw Error(ErrorKind::usage, "--engine '" + excerpt(*engine) +
                                        "': expected an engine or engines separated by commas");
    }
    if (std::find(engines.begin(), engine, *engine) != engine)
      throw Error(ErrorKind::usage, "--engine " + *engine + " is given twice");
  }
}

void check_settings(const std::vector<std::string>& settings) {
  for (const std::string& each : settings) {
    if (is_setting(each)) continue;
    throw Error(ErrorKind::usage,
                "--set '" + excerpt(each) +
                    "': expected NAME=VALUE, without blanks and control characters");
  }
}

}  // namespace

std::optional<DryRunOptions> parse_dry_run_options(int argc, const char* const* argv) {
  DryRunOptions options;
  const auto* const end = argv + argc;
  const auto* const behind = std::find(argv, end, std::string_view("--"));
  if (behind != end) options.opensm_options.assign(behind + 1, end);
  CommandLine line("dry_run", description);
  line.option("TOPOLOGY", options.topology,
              "Topology: output of ibnetdiscover or iblinkinfo, ibsim net file, or links of UFM "
              "(default: a fabric like CHiC, 528 hosts)")
      .reads();
  line.option("-e,--engine", options.engines,
              "Engine, or list as for opensm -R; repeatable, for one table of all (default: pssp, "
              "p2ssp, sssp, ftree and minhop)")
      .one_at_a_time()
      .type_name("NAME");
  line.option("--out", options.out, "Folder for results (default: a new folder in ./out)")
      .type_name("DIR");
  line.option("-n,--patterns", options.patterns,
              "Number of random bisections (default: as for pssp eval)")
      .type_name("N");
  line.option("--seed", options.seed, "Seed of the bisections (default: as for pssp eval)")
      .type_name("S");
  line.option("-s,--set", options.settings,
              "Option of the plugin, as in event_plugin_options; repeatable")
      .one_at_a_time()
      .type_name("NAME=VALUE");
  line.option("--conf", options.configuration, "File with lines to add to opensm.conf").reads();
  line.option("--timeout", options.timeout,
              "Time limit for opensm (default: 120, plus 1 for every four nodes)")
      .range(1, 999999999)
      .type_name("SECONDS");
  line.flag("--json", options.json,
            "Write one JSON object (an array for several engines) instead of text");
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
