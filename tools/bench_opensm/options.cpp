#include "tools/bench_opensm/options.h"

#include "base/error.h"
#include "base/text_lines.h"
#include "tools/kit/command_line.h"

namespace pssp {
namespace {

constexpr const char* description =
    "Measures how long the stock opensm takes to configure fabrics simulated by ibsim, "
    "by phase and routing engine.";

constexpr const char* footer =
    "PSSP_BUILD_DIR  build whose plugin and tools are used (default: this one)\n"
    "\n"
    "Exit codes: 0 done (engines may refuse), 2 usage, 3 unreadable topology, 5 no "
    "engine routes any of the fabrics, 8 a result cannot be written, 20 a tool or the "
    "plugin is missing, or opensm did not load the plugin, 21 ibsim failed.";

/// The specifications without surrounding blanks, with one blank between words.
std::vector<std::string> parse_sizes(std::string_view text) {
  std::vector<std::string> sizes;
  while (true) {
    const std::size_t end = std::min(text.find(';'), text.size());
    std::string_view part = text.substr(0, end);
    std::string words;
    while (!(part = without_indent(part)).empty())
      words += std::string(words.empty() ? "" : " ") + std::string(take_word(part));
    if (!words.empty()) sizes.push_back(words);
    if (end == text.size()) break;
    text.remove_prefix(end + 1);
  }
  if (sizes.empty()) throw Error(ErrorKind::usage, "--sizes: expected at least one fabric");
  return sizes;
}

}  // namespace

std::optional<BenchOptions> parse_bench_options(int argc, const char* const* argv) {
  constexpr double largest = 999999999;
  BenchOptions options;
  bool json_only = false;
  std::string engines = "minhop,updn,ftree,lash,dor,pssp";
  std::string sizes = "xgft 4,2 1,4; xgft 4,4 1,4; xgft 4,8 1,4; xgft 4,16 1,4";
  CommandLine line("bench_opensm", description);
  line.option("--engines", engines, "Engines, as for pssp compare-engines, or all")
      .type_name("A,B,...")
      .show_default();
  line.option("--sizes", sizes,
              "Fabrics: arguments of pssp make-topo or topology files, separated by semicolons "
              "(default: two-level trees of 8, 16, 32 and 64 hosts)")
      .type_name("S;S;...")
      .mentions()
      .show_default();
  line.option("--iterations", options.iterations,
              "Number of measurements of each engine and fabric")
      .range(1, largest)
      .type_name("N")
      .show_default();
  line.option("--lanes", options.lanes, "Number of virtual lanes for nue")
      .range(1, largest)
      .type_name("N")
      .show_default();
  line.option("--timeout", options.timeout, "Time limit for one sweep of opensm")
      .range(1, largest)
      .type_name("SECONDS")
      .show_default();
  line.option("--format", options.format, "Format of the plots: svg or png")
      .one_of({"svg", "png"})
      .show_default();
  line.option("--out", options.out, "Folder for results (default: a new folder in ./out)")
      .type_name("DIR");
  const Option json = line.flag("--json", json_only, "Write one JSON object instead of the tables");
  line.option("--json-file", options.json, "Also write all results to FILE as JSON")
      .writes()
      .excludes(json);
  line.footer(footer);
  if (!line.parse(argc, argv)) return std::nullopt;
  if (json_only) options.json = "-";
  options.sizes = parse_sizes(sizes);
  options.engines = engines == "all" ? all_engines() : parse_engines(engines);
  return options;
}

}  // namespace pssp
