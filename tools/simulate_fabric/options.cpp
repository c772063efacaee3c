// Values of the model have the names and meanings of their table (simulator/model_values.h), the
// same as in traffic files.

#include "tools/simulate_fabric/options.h"

#include <fmt/format.h>

#include <array>

#include "base/error.h"
#include "base/shown.h"
#include "simulator/model_values.h"
#include "simulator/values.h"
#include "tools/kit/command_line.h"

namespace pssp {
namespace {

constexpr const char* description =
    "What happens with these tables, this traffic, these parameters of congestion control? Plays "
    "packets through a lossless fabric and says who gets what, who is hurt and by whom.";

constexpr std::size_t most_varied = 3;
constexpr std::size_t most_cells = 10'000;

/// Texts of options that are understood after parsing.
struct SimulateTexts {
  std::vector<std::string> varied;
  std::vector<std::string> model;
  std::string bytes, packet, duration, warmup, sample, precision, most_bytes;
};

void add_traffic_options(CommandLine& line, SimulateOptions& options, SimulateTexts& texts) {
  constexpr const char* group = "What is sent";
  line.option("--scenario", options.scenario,
              "A built-in experiment with its fabric, tables and traffic: thesis-a, -b1, -b2, -c1 "
              "to -c4, -d")
      .type_name("NAME")
      .group(group);
  line.option("--traffic", options.traffic, "Traffic file").type_name("FILE").reads().group(group);
  line.option("-p,--ptrn", options.pattern, "Pattern, as eval_lft --list names them")
      .type_name("PATTERN")
      .group(group);
  line.flag("--bisect", options.bisect, "Random bisection: half of the hosts send to the others")
      .group(group);
  line.flag("--uniform", options.uniform, "Every host sends messages to random hosts").group(group);
  line.option("--incast", options.incast, "So many random hosts send to one")
      .range(1, 1'000'000)
      .type_name("N")
      .group(group);
  line.option("--bytes", texts.bytes, "Message of a pattern (default: 1MiB)")
      .type_name("SIZE")
      .group(group);
  line.option("--time", texts.duration, "Time simulated (default: 10ms; patterns: until done)")
      .type_name("T")
      .group(group);
  line.option("--warmup", texts.warmup,
              "Not in means (default: 20 % of the time; nothing where all that is sent ends)")
      .type_name("T")
      .group(group);
  line.option("--sample", texts.sample, "Length of samples (default: time / 100)")
      .type_name("T")
      .group(group);
  line.option("--packet", texts.packet, "Bytes of a full packet (default: 2176B)")
      .type_name("SIZE")
      .group(group);
}

void add_variant_options(CommandLine& line, SimulateOptions& options, SimulateTexts& texts) {
  constexpr const char* group = "What is compared";
  line.option("--cc", options.sets,
              "Congestion control: off, a profile or a parameter file; several times: a run each "
              "(default: off)")
      .one_at_a_time()
      .type_name("SET")
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

void add_model_options(CommandLine& line, SimulateOptions& options, SimulateTexts& texts) {
  constexpr const char* group = "The model";
  const auto values = model_values();
  texts.model.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    line.option("--" + std::string(values[i].name), texts.model[i],
                fmt::format("{} (default: {})", values[i].meaning, values[i].show({})))
        .type_name(std::string(values[i].kind))
        .group(group);
  }
  line.option(
          "--service-levels", options.service_levels,
          "File of service levels, as route_lft --layers writes it: a lane for each unless --vls "
          "or --sl2vl says else")
      .type_name("FILE")
      .reads()
      .group(group);
  line.option("--sl2vl", options.sl_to_vl, "File with 16 lanes, that of each service level")
      .type_name("FILE")
      .reads()
      .group(group);
  line.option("--max-memory", texts.most_bytes, "Of one run, which ends there (default: 4GiB)")
      .type_name("SIZE")
      .group(group);
  line.option("--max-events", options.most_events, "Of one run, which ends there (0: no limit)")
      .type_name("N")
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
  line.option("--series", options.series, "Bytes over time, as CSV").writes().group(group);
  line.option("--series-of", options.series_of,
              "What the series has: network, flows, with commas between (default: both)")
      .separated_by(',')
      .type_name("WHAT,..")
      .group(group);
  line.option("--select", options.select, "Flows of the series whose names fit (* and ?)")
      .type_name("GLOB")
      .show_default()
      .group(group);
  line.option("--plot", options.plot, "Throughput over time, as .svg or .png (needs gnuplot)")
      .writes()
      .group(group);
  line.option("--heat", options.heat, "Grid of --cc-vary, as .svg or .png (needs gnuplot)")
      .writes()
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
  line.flag("!--no-progress", options.progress, "No line about the progress on a terminal")
      .group(group);
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

template <class Read>
auto understood(const char* option, const std::string& text, const Read& read) {
  try {
    return read(text);
  } catch (const Error& error) {
    throw Error(ErrorKind::usage, fmt::format("{}: {}", option, error.what()));
  }
}

void take_texts(const SimulateTexts& texts, SimulateOptions& options) {
  for (const std::string& text : texts.varied) options.varied.push_back(varied_parameter(text));
  std::size_t cells = 1;
  for (const VariedParameter& each : options.varied) cells *= each.values.size();
  if (options.varied.size() > most_varied || cells > most_cells) {
    throw Error(ErrorKind::usage,
                fmt::format("--cc-vary: {} parameters, {} combinations; expected "
                            "at most {} and {}",
                            options.varied.size(), cells, most_varied, most_cells));
  }
  Model tried;
  for (std::size_t i = 0; i < texts.model.size(); ++i) {
    if (texts.model[i].empty()) continue;
    const std::string name(model_values()[i].name);
    set_model_value(tried, name, texts.model[i]);
    options.model.emplace_back(name, texts.model[i]);
  }
  const auto time = [](const std::string& text) { return read_time(text); };
  const auto size = [](const std::string& text) { return read_size(text); };
  if (!texts.duration.empty()) {
    options.times.duration = understood("--time", texts.duration, time);
    if (*options.times.duration == 0) throw Error(ErrorKind::usage, "--time: expected more than 0");
  }
  if (!texts.warmup.empty()) options.times.warmup = understood("--warmup", texts.warmup, time);
  if (!texts.sample.empty()) {
    options.times.sample = understood("--sample", texts.sample, time);
    if (*options.times.sample == 0) throw Error(ErrorKind::usage, "--sample: expected more than 0");
  }
  if (!texts.bytes.empty()) options.bytes = understood("--bytes", texts.bytes, size);
  if (!texts.most_bytes.empty()) {
    options.most_bytes = understood("--max-memory", texts.most_bytes, size);
  }
  if (!texts.packet.empty()) {
    const std::uint64_t bytes = understood("--packet", texts.packet, size);
    if (bytes < least_packet_bytes || bytes > most_packet_bytes) {
      throw Error(ErrorKind::usage, fmt::format("--packet: {} bytes; expected {} .. {}", bytes,
                                                least_packet_bytes, most_packet_bytes));
    }
    options.packet_bytes = static_cast<std::uint32_t>(bytes);
  }
  if (!texts.precision.empty()) {
    options.precision = understood("--until-precision", texts.precision,
                                   [](const std::string& text) { return read_share(text); });
    if (options.precision == 0) {
      throw Error(ErrorKind::usage, "--until-precision: expected more than 0");
    }
  }
}

void require_one_traffic(const SimulateOptions& options) {
  const int given = (options.scenario.empty() ? 0 : 1) + (options.traffic.empty() ? 0 : 1) +
                    (options.pattern.empty() ? 0 : 1) + (options.bisect ? 1 : 0) +
                    (options.uniform ? 1 : 0) + (options.incast ? 1 : 0);
  if (given != 1) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{} what is sent; expected exactly one of --scenario, --traffic, --ptrn, "
                    "--bisect, --uniform, --incast",
                    given == 0 ? "nothing says" : "several options say"));
  }
  if (options.scenario.empty() == options.files.empty()) {
    throw Error(ErrorKind::usage,
                options.files.empty()
                    ? "expected forwarding tables and a topology, or --scenario NAME"
                    : "a scenario has its fabric and tables; expected no files beside --scenario");
  }
  for (const std::string& what : options.series_of) {
    if (what != "network" && what != "flows") {
      throw Error(ErrorKind::usage,
                  fmt::format("--series-of '{}'; expected network or flows", shown(what)));
    }
  }
}

}  // namespace

std::optional<SimulateOptions> parse_simulate_options(int argc, const char* const* argv) {
  SimulateOptions options;
  SimulateTexts texts;
  CommandLine line("simulate_fabric", description);
  line.option("files", options.files,
              "Tables and topology (routing.lft topo.osm), or one file that has both; - is "
              "standard input")
      .values(1, 2)
      .type_name("FILE")
      .reads();
  add_traffic_options(line, options, texts);
  add_variant_options(line, options, texts);
  add_model_options(line, options, texts);
  add_report_options(line, options);
  if (!line.parse(argc, argv)) return std::nullopt;
  take_texts(texts, options);
  require_one_traffic(options);
  return options;
}

}  // namespace pssp
