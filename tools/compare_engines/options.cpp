// The words of --help are those of docs/reference/compare_engines.md in short.

#include "tools/compare_engines/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "base/shown.h"
#include "base/text_lines.h"
#include "evaluator/pictures/drawing_programs.h"
#include "tools/kit/command_line.h"

namespace pssp {
namespace {

constexpr const char* description =
    "Which routing engine for this fabric? Runs the stock opensm with each of its own engines and "
    "each of ours on the fabric in TOPO, which ibsim plays, scores the tables, and prints one "
    "table and a recommendation. Needs neither hardware nor root rights.";

constexpr const char* footer =
    "lash, dfsssp, nue and torus-2QoS get -Q; nue all lanes; updn and dnup the roots, torus-2QoS "
    "the configuration that opensm_hints finds. An engine that opensm did not use is listed as "
    "refused, with opensm's reason.\n\n"
    "PSSP_BUILD_DIR  the build whose plugin and tools are used (default: this one)\n"
    "SIM_HOST        identifier of the adapter at which opensm runs (default: the first of the "
    "largest island)\n\n"
    "Exit codes: 0 done (engines may refuse), 2 usage, 3 unreadable topology, 5 no engine routes "
    "the fabric, 8 a result cannot be written, 20 a tool or the plugin is missing, or opensm did "
    "not load the plugin, 21 ibsim failed; others are eval_lft's.";

constexpr unsigned largest_lmc = 7;

/// "0,1,2", ascending; each once.
std::vector<unsigned> parse_lmcs(std::string_view list) {
  const std::string wrong =
      fmt::format("--lmc '{}': expected numbers of 0 to {}, each once, with commas between",
                  shown(list), largest_lmc);
  std::vector<unsigned> lmcs;
  std::string_view rest = list;
  do {
    const std::optional<std::uint64_t> number = take_number(rest);
    if (!number || *number > largest_lmc) throw Error(ErrorKind::usage, wrong);
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
  CommandLine line("compare_engines", description);
  line.option("TOPO", options.topology, "ibnetdiscover output or an ibsim net file")
      .required()
      .reads();
  line.option("--engines", engines,
              "These engines instead of all: NAME or NAME:OPTION=VALUE[:...], with commas "
              "between; options of the plugin for ours (pssp:max_detour=1), of its command line "
              "for opensm's (minhop:scatter-ports=8)")
      .type_name("A,B,...");
  line.option("--lanes", options.lanes, "Virtual lanes for data that the fabric has")
      .range(1, 15)
      .type_name("N")
      .show_default();
  line.option("--lmc", lmcs,
              "opensm gives each host 2^N LIDs; tables are scored by base LIDs, and once more with "
              "all flows striped over all LIDs. Several (0,1,2): all in one table, and what more "
              "LIDs would add (default: that of the topology)")
      .type_name("N,N,...");
  line.option("--timeout", options.timeout, "Cut off an engine whose opensm takes longer")
      .range(1, 999999999)
      .type_name("SECONDS")
      .show_default();
  line.option("--patterns", options.patterns, "Random bisections (default: eval_lft's)")
      .type_name("N");
  line.option("--seed", options.seed, "Seed of the bisections (default: eval_lft's)")
      .type_name("S");
  line.option("-a,--application", options.applications,
              "Play this application of simulate_application with each engine's tables, as in "
              "alltoall:pairwise,64KiB, or a GOAL file; repeatable")
      .one_at_a_time()
      .type_name("SPEC")
      .mentions();
  line.option("--ranks", options.ranks, "Ranks of --application (default: all hosts)")
      .range(2, 1e6)
      .type_name("N");
  line.option("--conf", options.configuration, "Lines to add to opensm.conf")
      .type_name("FILE")
      .reads();
  line.option("--out", options.out,
              "Folder for tables and logs, one for each engine (default: a new one in ./out)")
      .type_name("DIR");
  line.option("--json", options.json, "Everything as JSON; - is standard output, without the table")
      .type_name("FILE")
      .writes();
  line.option("--csv", options.csv, "A line for each engine").type_name("FILE").writes();
  line.option("--plot", options.plot, "A picture, FILE.svg or FILE.png").type_name("FILE").writes();
  line.footer(footer);
  if (!line.parse(argc, argv)) return std::nullopt;
  if (!options.plot.empty()) picture_format(options.plot);
  if (options.ranks != 0 && options.applications.empty()) {
    throw Error(ErrorKind::usage, "--ranks is for --application, which is not there");
  }
  if (line.given("--lmc")) options.lmcs = parse_lmcs(lmcs);
  options.engines = line.given("--engines") ? parse_engines(engines) : all_engines();
  return options;
}

}  // namespace pssp
