#include "tools/bench_opensm/options.h"

#include "base/error.h"
#include "base/text_lines.h"
#include "tools/kit/command_line.h"

namespace pssp {
namespace {

constexpr const char* description =
    "How long does the stock opensm take to configure a subnet, phase by phase, with each routing "
    "engine? The subnet-management benchmarks Subnet_Discovery_Time, "
    "Subnet_LID-Configuration_Time, Subnet_Routing_Time, Subnet_Total_Time and "
    "Subnet_Reconfigure_Time, on fabrics that ibsim plays, from opensm's own log; the "
    "distribution of hops, and the effect of the number of hosts on a switch. Prints the tables; "
    "the folder DIR has them with plots and all single times.";

constexpr const char* footer =
    "PSSP_BUILD_DIR  the build whose plugin and tools are used (default: this one)\n\n"
    "Exit codes: 0 done (engines may refuse), 2 usage, 3 unreadable topology, 5 no engine routes "
    "any of the fabrics, 8 a result cannot be written, 20 a tool or the plugin is missing, or "
    "opensm did not load the plugin, 21 ibsim failed.";

/// The specifications without the blanks around them, one blank between words.
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
  if (sizes.empty()) throw Error(ErrorKind::usage, "--sizes: none is named");
  return sizes;
}

}  // namespace

std::optional<BenchOptions> parse_bench_options(int argc, const char* const* argv) {
  constexpr double largest = 999999999;
  BenchOptions options;
  std::string engines = "minhop,updn,ftree,lash,dor,pssp";
  std::string sizes = "xgft 4,2 1,4; xgft 4,4 1,4; xgft 4,8 1,4; xgft 4,16 1,4";
  CommandLine line("bench_opensm", description);
  line.option("--engines", engines, "Engines, as for compare_engines; all: every one there is")
      .type_name("A,B,...")
      .show_default();
  line.option("--sizes", sizes,
              "Fabrics, each as for make_topo or a topology file; by default two-level trees of "
              "8, 16, 32 and 64 hosts")
      .type_name("S;S;...")
      .mentions()
      .show_default();
  line.option("--iterations", options.iterations, "Times that each is measured")
      .range(1, largest)
      .type_name("N")
      .show_default();
  line.option("--lanes", options.lanes, "Virtual lanes that nue may use")
      .range(1, largest)
      .type_name("N")
      .show_default();
  line.option("--timeout", options.timeout, "For one sweep of opensm")
      .range(1, largest)
      .type_name("SECONDS")
      .show_default();
  line.option("--format", options.format, "Of the plots: svg or png")
      .one_of({"svg", "png"})
      .show_default();
  line.option("--out", options.out, "Where results go (default: a new folder in ./out)")
      .type_name("DIR");
  line.option("--json", options.json,
              "Everything as JSON; - is standard output, without the tables")
      .type_name("FILE")
      .writes();
  line.footer(footer);
  if (!line.parse(argc, argv)) return std::nullopt;
  options.sizes = parse_sizes(sizes);
  options.engines = engines == "all" ? all_engines() : parse_engines(engines);
  return options;
}

}  // namespace pssp
