// What is sent and the model are options of several programs: tools/simulation/source_options.h.

#include "tools/simulate_fabric/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "base/error.h"
#include "base/shown.h"
#include "simulator/scenarios/parameter_change.h"
#include "simulator/values.h"
#include "tools/kit/command_line.h"
#include "tools/simulation/understood.h"

namespace pssp {
namespace {

constexpr const char* description =
    "What happens with these tables, this traffic, these parameters of congestion control? Plays "
    "packets through a lossless fabric and says who gets what, who is hurt and by whom.";

constexpr std::size_t most_varied = 3;
constexpr std::size_t most_cells = 10'000;

/// Texts of options that are understood after parsing.
struct SimulateTexts {
  SourceTexts source;
  LaterTexts later;
  std::vector<std::string> varied;
  std::string precision;
};

void add_variant_options(CommandLine& line, SimulateOptions& options, SimulateTexts& texts) {
  constexpr const char* group = "What is compared";
  line.option("--cc", options.sets,
              "Congestion control: off, a profile or a parameter file; several times: a run each "
              "(default: off)")
      .one_at_a_time()
      .type_name("SET")
      .mentions()
      .group(group);
  line.option("--cc-vary", texts.varied,
              "NAME=V1,V2,..: a run for each value of a parameter of the last --cc; up to 3 times: "
              "for each combination")
      .one_at_a_time()
      .type_name("NAME=V,..")
      .group(group);
  line.option("--compare", options.compared,
              "Other tables of the same fabric: the same traffic and seeds")
      .one_at_a_time()
      .type_name("TABLES")
      .reads()
      .group(group);
  line.option("--seeds", options.seeds, "Runs of each kind, with seeds S, S + 1, ..")
      .range(1, 10'000)
      .show_default()
      .group(group);
  line.option("--seed", options.seed, "The first seed").type_name("S").show_default().group(group);
  line.option("--until-precision", texts.precision,
              "As many seeds as a 95 % interval of +- P of the mean takes, 64 at most, as in 1%")
      .type_name("P")
      .group(group);
  line.option("-j,--threads", options.threads, "Runs at once (default: all cores)")
      .range(1, 4096)
      .group(group);
}

void add_report_options(CommandLine& line, SimulateOptions& options) {
  constexpr const char* group = "Reports";
  line.flag("--json", options.json, "Everything as JSON").group(group);
  line.option("-o,--output", options.output, "File for the report; - is standard output")
      .show_default()
      .writes()
      .group(group);
  line.option("--csv", options.csv, "A line for each run and flow").writes().group(group);
  const Option series = line.option("--series", options.series,
                                    "Bytes over time, as CSV; also marks and queues of ports")
                            .writes()
                            .group(group);
  line.option("--series-of", options.series_of,
              "What the series has: network, flows, hosts, links, ports, with commas between "
              "(default: network,flows)")
      .separated_by(',')
      .type_name("WHAT,..")
      .needs(series)
      .group(group);
  line.option("--select", options.select,
              "Flows, hosts and ports of the series whose names fit (* and ?)")
      .type_name("GLOB")
      .show_default()
      .needs(series)
      .group(group);
  line.option("--plot", options.plot, "Throughput over time, as .svg or .png (needs gnuplot)")
      .writes()
      .group(group);
  line.option("--heat", options.heat, "Grid of --cc-vary, as .svg or .png (needs gnuplot)")
      .writes()
      .group(group);
  line.option(
          "--map", options.map,
          "The fabric, its links coloured by what the first kind of run did to them: .svg, .png, "
          ".pdf or .dot (needs graphviz)")
      .writes()
      .group(group);
  line.option("--map-of", options.map_of,
              "Colours are for: waiting (part of the time with packets and without credits), used "
              "(of what the link carries), queue (longest, bytes)")
      .one_of({"waiting", "used", "queue"})
      .type_name("WHAT")
      .show_default()
      .group(group);
  line.flag("--check", options.check,
            "Compare with `expect` of the traffic file, or with what was published of the "
            "scenario; status 7 beyond")
      .group(group);
  line.option("--victims", options.victims, "Victims that are listed")
      .range(0, 100'000)
      .show_default()
      .group(group);
  line.option("--top", options.top, "Ports that are listed")
      .range(0, 100'000)
      .show_default()
      .group(group);
  line.flag("!--no-progress", options.progress, "No lines about the progress").group(group);
  line.flag("-q,--quiet", options.quiet, "No warnings either").group(group);
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
    throw Error(ErrorKind::usage,
                fmt::format("--cc-vary '{}': expected NAME=V1,V2,.. as in CCTI_Timer=20us,250us",
                            shown(text)));
  }
  return varied;
}

void take_texts(const SimulateTexts& texts, SimulateOptions& options) {
  std::set<std::string> names;
  for (const std::string& text : texts.varied) {
    options.varied.push_back(varied_parameter(text));
    if (!names.insert(notation_name(options.varied.back().name)).second) {
      throw Error(ErrorKind::usage, fmt::format("--cc-vary '{}': this parameter is varied already; "
                                                "expected all its values in one --cc-vary",
                                                shown(text)));
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
      throw Error(ErrorKind::usage, "--until-precision: expected more than 0");
    }
  }
}

void require_known_series(const SimulateOptions& options) {
  constexpr std::array<std::string_view, 5> known{"network", "flows", "hosts", "links", "ports"};
  for (const std::string& what : options.series_of) {
    if (std::ranges::find(known, what) == known.end()) {
      throw Error(ErrorKind::usage,
                  fmt::format("--series-of '{}'; expected network, flows, hosts, links or ports",
                              shown(what)));
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
  add_later_options(line, options.later, texts.later, "Changes of the fabric");
  add_report_options(line, options);
  if (!line.parse(argc, argv)) return std::nullopt;
  take_source_texts(texts.source, options);
  take_texts(texts, options);
  take_later_texts(line, texts.later, options.later);
  if (!options.later.then.empty() && !options.compared.empty()) {
    throw Error(ErrorKind::usage,
                "--then has tables for the first tables alone; leave out --compare");
  }
  require_known_series(options);
  return options;
}

}  // namespace pssp
