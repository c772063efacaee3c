// Options of traffic and model are shared by several programs: tools/simulation/source_options.h.

#include "tools/simulate_fabric/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "base/error.h"
#include "base/printable.h"
#include "simulator/scenarios/parameter_change.h"
#include "simulator/values.h"
#include "tools/kit/command_line.h"
#include "tools/simulation/understood.h"

namespace pssp {
namespace {

constexpr const char* description =
    "Simulates packets in a lossless fabric, with given tables, traffic and congestion control, "
    "and reports throughput and victims of congestion";

constexpr std::size_t most_varied = 3;
constexpr std::size_t most_cells = 10'000;

/// Options that are interpreted after parsing.
struct SimulateTexts {
  SourceTexts source;
  LaterTexts later;
  std::vector<std::string> varied;
  std::string precision;
};

void add_variant_options(CommandLine& line, SimulateOptions& options, SimulateTexts& texts) {
  line.heading("Comparisons");
  line.option("--cc", options.sets,
              "Congestion control: off, a profile or a parameter file; repeatable, one run for "
              "each (default: off)")
      .one_at_a_time()
      .type_name("SET")
      .mentions();
  line.option("--cc-vary", texts.varied,
              "Simulate each value of a parameter of the last --cc: NAME=V1,V2,..; given up to 3 "
              "times, each combination")
      .one_at_a_time()
      .type_name("NAME=V,..");
  line.option("--compare", options.compared,
              "Further tables of the same fabric, simulated with the same traffic and seeds; "
              "repeatable")
      .one_at_a_time()
      .type_name("TABLES")
      .reads();
  line.option("--seeds", options.seeds, "Runs of each configuration, with seeds S, S + 1, ..")
      .range(1, 10'000)
      .show_default();
  line.option("--seed", options.seed, "First seed").type_name("S").show_default();
  line.option("--until-precision", texts.precision,
              "Add seeds (at most 64) until the 95 % interval of the mean is within +- P, for "
              "example 1%")
      .type_name("P");
  line.option("-j,--threads", options.threads, "Number of concurrent runs (default: all cores)")
      .range(1, 4096);
}

void add_report_options(CommandLine& line, SimulateOptions& options) {
  line.heading("Reports");
  line.flag("--json", options.json, "Complete report as JSON");
  line.output(options.output);
  line.option("--csv", options.csv, "CSV file with a line for each run and flow").writes();
  const Option series =
      line.option("--series", options.series,
                  "CSV file of bytes over time, for ports also marks and queue lengths")
          .writes();
  line.option("--series-of", options.series_of,
              "Contents of the series, separated by commas: network, flows, hosts, links, ports "
              "(default: network,flows)")
      .separated_by(',')
      .type_name("WHAT,..")
      .needs(series);
  line.option("--select", options.select,
              "Only flows, hosts and ports in the series whose names match (* and ?)")
      .type_name("GLOB")
      .show_default()
      .needs(series);
  line.option("--plot", options.plot,
              "Plot of throughput over time, as .svg or .png (needs gnuplot)")
      .writes();
  line.option("--heat", options.heat,
              "Heat map of two --cc-vary parameters, as .svg or .png (needs gnuplot)")
      .writes();
  line.option("--map", options.map,
              "Map of the fabric, links colored by --map-of for the first configuration: .svg, "
              ".png, .pdf or .dot (needs graphviz)")
      .writes();
  line.option("--map-of", options.map_of,
              "Quantity shown by the colors: waiting (share of the time with packets but no "
              "credits), used (share of the link capacity) or queue (longest, in bytes)")
      .one_of({"waiting", "used", "queue"})
      .type_name("WHAT")
      .show_default();
  line.flag("--check", options.check,
            "Compare with `expect` of the traffic file, or with the published figures of the "
            "scenario; exit code 7 if out of tolerance");
  line.option("--victims", options.victims, "Number of victims to list")
      .range(0, 100'000)
      .show_default();
  line.option("--top", options.top, "Number of ports to list").range(0, 100'000).show_default();
  line.flag("!--no-progress", options.progress, "Do not report progress");
}

VariedParameter varied_parameter(const std::string& text) {
  const std::size_t equals = text.find('=');
  VariedParameter varied;
  if (equals != std::string::npos && equals > 0) {
    varied.name = text.substr(0, equals);
    std::string value;
    for (const char c : text.substr(equals + 1) + ",") {
      if (c != ',') {
        value += c;
      } else if (!value.empty()) {
        varied.values.push_back(std::move(value));
        value.clear();
      }
    }
  }
  if (varied.values.empty()) {
    throw Error(
        ErrorKind::usage,
        fmt::format("--cc-vary '{}': expected NAME=V1,V2,.., for example CCTI_Timer=20us,250us",
                    excerpt(text)));
  }
  return varied;
}

void take_texts(const SimulateTexts& texts, SimulateOptions& options) {
  std::set<std::string> names;
  for (const std::string& text : texts.varied) {
    options.varied.push_back(varied_parameter(text));
    if (!names.insert(notation_name(options.varied.back().name)).second) {
      throw Error(ErrorKind::usage, fmt::format("--cc-vary '{}': this parameter is given twice; "
                                                "expected all its values in one --cc-vary",
                                                excerpt(text)));
    }
  }
  std::size_t cells = 1;
  for (const VariedParameter& each : options.varied) cells *= each.values.size();
  if (options.varied.size() > most_varied || cells > most_cells) {
    throw Error(ErrorKind::usage,
                fmt::format("--cc-vary: {} parameters, {} combinations; expected "
                            "at most {} and {}",
                            options.varied.size(), cells, most_varied, most_cells));
  }
  if (!texts.precision.empty()) {
    options.precision = understood("--until-precision", texts.precision,
                                   [](const std::string& text) { return read_share(text); });
    if (options.precision == 0) {
      throw Error(ErrorKind::usage, "--until-precision: expected a share above 0");
    }
  }
}

void require_known_series(const SimulateOptions& options) {
  constexpr std::array<std::string_view, 5> known{"network", "flows", "hosts", "links", "ports"};
  for (const std::string& what : options.series_of) {
    if (std::ranges::find(known, what) == known.end()) {
      throw Error(ErrorKind::usage,
                  fmt::format("--series-of '{}'; expected network, flows, hosts, links or ports",
                              excerpt(what)));
    }
  }
}

}  // namespace

std::optional<SimulateOptions> parse_simulate_options(int argc, const char* const* argv) {
  SimulateOptions options;
  SimulateTexts texts;
  CommandLine line("simulate_fabric", description);
  add_traffic_options(line, options, texts.source, false);
  add_variant_options(line, options, texts);
  add_run_options(line, options, texts.source);
  line.heading("Changes of the fabric");
  add_later_options(line, options.later, texts.later);
  add_report_options(line, options);
  if (!line.parse(argc, argv)) return std::nullopt;
  take_source_texts(texts.source, options);
  take_texts(texts, options);
  take_later_texts(line, texts.later, options.later);
  if (!options.later.then.empty() && !options.compared.empty()) {
    throw Error(ErrorKind::usage, "--then does not support several tables; leave out --compare");
  }
  require_known_series(options);
  return options;
}

}  // namespace pssp
