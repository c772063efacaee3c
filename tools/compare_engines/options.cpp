// The words of --help are those of docs/reference/compare-engines.md in short.

#include "tools/compare_engines/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "base/printable.h"
#include "base/text_lines.h"
#include "evaluator/pictures/drawing_programs.h"
#include "fabric/ids.h"
#include "tools/kit/command_line.h"

namespace pssp {
namespace {

constexpr const char* description =
    "Runs the stock opensm with each routing engine on a fabric simulated by ibsim, and "
    "recommends an engine. Needs no InfiniBand hardware and no root privileges.";

constexpr const char* footer =
    "lash, dfsssp, nue and torus-2QoS run with -Q; nue uses all lanes; updn and dnup get "
    "the roots, and torus-2QoS the configuration, that pssp opensm-hints finds. An engine "
    "that opensm did not use is listed as refused, with the reason from opensm's log.\n"
    "\n"
    "PSSP_BUILD_DIR  build whose plugin and tools are used (default: this one)\n"
    "SIM_HOST        identifier of the adapter that opensm runs on (default: the first "
    "adapter of the largest island)\n"
    "\n"
    "Exit codes: 0 done (engines may refuse), 2 usage, 3 unreadable topology, 5 no "
    "engine routes the fabric, 8 a result cannot be written, 20 a tool or the plugin is "
    "missing, or opensm did not load the plugin, 21 ibsim failed; others as for pssp eval.";

/// "0,1,2", ascending and distinct.
std::vector<unsigned> parse_lmcs(std::string_view list) {
  const std::string wrong =
      fmt::format("--lmc '{}': expected different numbers from 0 to {}, separated by commas",
                  excerpt(list), max_lmc);
  std::vector<unsigned> lmcs;
  std::string_view rest = list;
  do {
    const std::optional<std::uint64_t> number = take_number(rest);
    if (!number || *number > max_lmc) throw Error(ErrorKind::usage, wrong);
    lmcs.push_back(static_cast<unsigned>(*number));
  } while (take(rest, ","));
  std::ranges::sort(lmcs);
  if (!rest.empty() || std::ranges::adjacent_find(lmcs) != lmcs.end())
    throw Error(ErrorKind::usage, wrong);
  return lmcs;
}

}  // namespace

std::optional<CompareOptions> parse_compare_options(int argc, const char* const* argv) {
  CompareOptions options;
  std::string engines, lmcs;
  bool json_only = false;
  CommandLine line("compare_engines", description);
  line.option("TOPOLOGY", options.topology,
              "Topology: output of ibnetdiscover or iblinkinfo, ibsim net file, or links of UFM")
      .required()
      .reads();
  line.option("--engines", engines,
              "Run only these engines: NAME or NAME:OPTION=VALUE[:...], separated by commas; the "
              "options are those of the plugin (pssp:max_extra_hops=1) or of opensm's command line "
              "(minhop:scatter-ports=8)")
      .type_name("A,B,...");
  line.option("--lanes", options.lanes, "Number of virtual lanes for data in the fabric")
      .range(1, 15)
      .type_name("N")
      .show_default();
  line.option("--lmc", lmcs,
              "Assign 2^N LIDs to each host and score the tables by base LIDs and with flows "
              "striped over all LIDs; several values are compared in one table (default: LMC of "
              "the topology)")
      .type_name("N,N,...");
  line.option("--timeout", options.timeout, "Stop an engine after this time")
      .range(1, 999999999)
      .type_name("SECONDS")
      .show_default();
  line.option("-n,--patterns", options.patterns,
              "Number of random bisections (default: as for pssp eval)")
      .type_name("N");
  line.option("--seed", options.seed, "Seed of the bisections (default: as for pssp eval)")
      .type_name("S");
  line.option("-a,--application", options.applications,
              "Simulate this application (e.g. alltoall:pairwise,64KiB, or a GOAL file) with the "
              "tables of each engine; repeatable")
      .one_at_a_time()
      .type_name("SPEC")
      .mentions();
  line.option("--ranks", options.ranks, "Number of ranks of --application (default: all hosts)")
      .range(2, 1e6)
      .type_name("N");
  line.option("--conf", options.configuration, "File with lines to add to opensm.conf").reads();
  line.option("--out", options.out,
              "Folder for tables and logs, with a subfolder per engine (default: a new folder in "
              "./out)")
      .type_name("DIR");
  const Option json = line.flag("--json", json_only, "Write one JSON object instead of the table");
  line.option("--json-file", options.json, "Also write all results to FILE as JSON")
      .writes()
      .excludes(json);
  line.option("--csv", options.csv, "Write a CSV line for each engine to FILE").writes();
  line.option("--plot", options.plot, "Draw the results: FILE.svg or FILE.png").writes();
  line.footer(footer);
  if (!line.parse(argc, argv)) return std::nullopt;
  if (json_only) options.json = "-";
  if (!options.plot.empty()) picture_format(options.plot);
  if (options.ranks != 0 && options.applications.empty()) {
    throw Error(ErrorKind::usage, "--ranks needs --application");
  }
  if (line.given("--lmc")) options.lmcs = parse_lmcs(lmcs);
  options.engines = line.given("--engines") ? parse_engines(engines) : all_engines();
  return options;
}

}  // namespace pssp
