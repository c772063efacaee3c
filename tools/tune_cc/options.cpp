// The command in the reports omits options that do not affect the results: output files, number of
// threads, and the file to resume.

#include "tools/tune_cc/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/printable.h"
#include "base/text_lines.h"
#include "simulator/scenarios/parameter_change.h"
#include "simulator/values.h"
#include "tools/simulation/understood.h"

namespace pssp {
namespace {

constexpr const char* description =
    "Finds congestion control parameters for a fabric, its tables and its traffic by simulation, "
    "and writes the best set for pssp cc apply";

constexpr std::size_t most_axes = 8;
constexpr std::size_t most_traffics = 64;

struct TuneTexts {
  SourceTexts source;
  std::vector<std::string> vary, keep;
  std::string weights;
};

void add_search_options(CommandLine& line, TuneOptions& options, TuneTexts& texts) {
  line.heading("Search");
  std::string usual;
  for (const std::string_view each : default_tuning_axes()) {
    usual += fmt::format("{}{}", usual.empty() ? "" : ", ", each);
  }
  line.option("--vary", texts.vary,
              fmt::format(
                  "Parameter to vary: NAME=LOW..HIGH or NAME=V1,V2,..; repeatable (default: {})",
                  usual))
      .one_at_a_time()
      .type_name("NAME=RANGE");
  line.option("--keep", texts.keep,
              "Parameter to fix at a value other than that of the base: NAME=VALUE; repeatable")
      .one_at_a_time()
      .type_name("NAME=VALUE");
  line.option("--base", options.base,
              "Profile or parameter file for all other parameters, also a candidate")
      .type_name("SET")
      .mentions()
      .show_default();
  line.option("--objective", options.objective_name,
              "Objective: throughput, worst-flow, p99, completion or blend:W (weight W of "
              "throughput, the rest of worst-flow)")
      .type_name("WHAT")
      .show_default();
  line.option("--weight", texts.weights,
              "Weights of the traffic files, in their order (default: equal)")
      .type_name("W,..");
  line.flag("--guard", options.guard,
            "Reject sets that are more than 1 % worse than off for any traffic file");
  line.flag("--opensm", options.opensm,
            "Only sets that OpenSM can send: at most 128 table entries, the same Victim_Mask for "
            "all switches");
  line.option("--table-blocks", options.capacity,
              "Table size of the adapters, in blocks of 64 entries (ControlTableCap)")
      .range(1, 255)
      .type_name("BLOCKS");
  line.option("--budget", options.budget,
              "Number of runs, or a time such as 10min (s, min, h), converted to runs after the "
              "first runs")
      .type_name("N|T")
      .show_default();
  line.option("--seed", options.seed, "First seed; the final comparison uses others")
      .type_name("S")
      .show_default();
  line.option("-j,--threads", options.threads, "Number of concurrent runs (default: all cores)")
      .range(1, 4096);
}

void add_answer_options(CommandLine& line, TuneOptions& options) {
  line.heading("Reports");
  line.option("-o,--output", options.set_file, "Parameter file for the best set").writes();
  line.option("--report", options.report, "File for the report; - for standard output")
      .show_default()
      .writes();
  line.flag("--json", options.json, "Report as JSON, with every set tried");
  line.option(
          "--plot", options.plot,
          "Plot of the gain over the first two varied parameters, as .svg or .png (needs gnuplot)")
      .writes();
  line.option("--resume", options.resume,
              "File that stores finished runs, to resume the search from it")
      .writes();
  line.flag("!--no-progress", options.progress, "Do not report progress");
}

std::optional<double> plain_number(std::string_view text) {
  const auto value = decimal_fraction(text);
  return value && *value > 0 ? value : std::nullopt;
}

void take_budget(TuneOptions& options) {
  struct Unit {
    std::string_view name;
    double seconds;
  };
  constexpr std::array units{Unit{"min", 60}, Unit{"h", 3600}, Unit{"s", 1}};
  constexpr double longest = 1e6;
  constexpr std::uint64_t most_runs = 1'000'000;
  for (const Unit& unit : units) {
    if (!options.budget.ends_with(unit.name)) continue;
    const std::string_view text(options.budget);
    const auto value = plain_number(text.substr(0, text.size() - unit.name.size()));
    if (!value || *value * unit.seconds > longest) break;
    options.seconds = *value * unit.seconds;
    return;
  }
  try {
    options.runs = read_count(options.budget, "a number of runs", 1, most_runs);
  } catch (const Error&) {
    throw Error(
        ErrorKind::usage,
        fmt::format("--budget '{}'; expected 1 .. {} runs, or a time such as 90s, 10min or 2h",
                    excerpt(options.budget), most_runs));
  }
}

void take_weights(const std::string& text, TuneOptions& options) {
  const std::size_t traffics = std::max<std::size_t>(1, options.traffic.size());
  options.weights.assign(traffics, 1);
  if (text.empty()) return;
  options.weights.clear();
  std::string_view rest = text;
  while (true) {
    const std::size_t comma = rest.find(',');
    const auto value = plain_number(trimmed(rest.substr(0, comma)));
    if (!value) break;
    options.weights.push_back(*value);
    if (comma == std::string_view::npos) {
      if (options.weights.size() == traffics) return;
      break;
    }
    rest.remove_prefix(comma + 1);
  }
  throw Error(ErrorKind::usage,
              fmt::format("--weight '{}'; expected {} numbers above 0, one for each traffic file",
                          excerpt(text), traffics));
}

void take_axes(const TuneTexts& texts, TuneOptions& options) {
  for (const std::string& text : texts.keep) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      throw Error(ErrorKind::usage,
                  fmt::format("--keep '{}': expected NAME=VALUE, for example Packet_Size=8",
                              excerpt(text)));
    }
    options.keep.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  const auto is_kept = [&](const std::string& name) {
    return std::ranges::any_of(options.keep, [&](const auto& each) {
      return notation_name(each.first) == notation_name(name);
    });
  };
  for (const std::string& text : texts.vary) {
    TuningAxis axis =
        understood("--vary", text, [](const std::string& each) { return parse_tuning_axis(each); });
    if (is_kept(axis.name) || std::ranges::any_of(options.vary, [&](const TuningAxis& each) {
          return notation_name(each.name) == notation_name(axis.name);
        })) {
      throw Error(ErrorKind::usage,
                  fmt::format("{} is varied twice, or varied and also given with --keep",
                              excerpt(axis.name)));
    }
    options.vary.push_back(std::move(axis));
  }
  if (texts.vary.empty()) {
    for (const std::string_view text : default_tuning_axes()) {
      TuningAxis axis = parse_tuning_axis(text);
      if (!is_kept(axis.name)) options.vary.push_back(std::move(axis));
    }
  }
  if (options.vary.empty() || options.vary.size() > most_axes) {
    throw Error(ErrorKind::usage, fmt::format("{} parameters are varied; expected 1 .. {}",
                                              options.vary.size(), most_axes));
  }
}

std::string quoted(const std::string& text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
  std::string displayed_text = printable(text);
  if (!displayed_text.empty() && displayed_text.find_first_not_of(plain) == std::string::npos) {
    return displayed_text;
  }
  return "'" + displayed_text + "'";
}

std::string command_of(const TuneOptions& options, const TuneTexts& texts) {
  std::string command = "pssp tune-cc";
  const auto add = [&](std::string_view option, const std::string& value) {
    if (!value.empty()) command += fmt::format(" {} {}", option, quoted(value));
  };
  const auto add_flag = [&](std::string_view option, bool given) {
    if (given) command += fmt::format(" {}", option);
  };
  for (const std::string& file : options.files) command += " " + quoted(file);
  add("--scenario", options.scenario);
  for (const std::string& file : options.traffic) add("--traffic", file);
  add("--ptrn", options.pattern);
  add_flag("--bisect", options.bisect);
  add_flag("--uniform", options.uniform);
  if (options.incast) add("--incast", std::to_string(*options.incast));
  add("--bytes", texts.source.bytes);
  add("--time", texts.source.duration);
  add("--warmup", texts.source.warmup);
  add("--sample", texts.source.sample);
  add("--packet", texts.source.packet);
  for (const std::string& each : texts.vary) add("--vary", each);
  for (const std::string& each : texts.keep) add("--keep", each);
  if (options.base != TuneOptions().base) add("--base", options.base);
  if (options.objective_name != TuneOptions().objective_name) {
    add("--objective", options.objective_name);
  }
  add("--weight", texts.weights);
  add_flag("--guard", options.guard);
  add_flag("--opensm", options.opensm);
  if (options.capacity) add("--table-blocks", std::to_string(*options.capacity));
  for (const auto& [name, value] : options.model) add("--" + name, value);
  add("--service-levels", options.service_levels);
  add("--sl2vl", options.sl_to_vl);
  add("--max-memory", texts.source.most_bytes);
  if (options.most_events != 0) add("--max-events", std::to_string(options.most_events));
  if (options.seed != TuneOptions().seed) add("--seed", std::to_string(options.seed));
  return command;
}

}  // namespace

std::optional<TuneOptions> parse_tune_options(int argc, const char* const* argv) {
  TuneOptions options;
  TuneTexts texts;
  CommandLine line("tune_cc", description);
  add_traffic_options(line, options, texts.source, true);
  add_search_options(line, options, texts);
  add_run_options(line, options, texts.source);
  add_answer_options(line, options);
  if (!line.parse(argc, argv)) return std::nullopt;
  take_source_texts(texts.source, options);
  if (options.traffic.size() > most_traffics) {
    throw Error(ErrorKind::usage, fmt::format("{} traffic files; expected at most {}",
                                              options.traffic.size(), most_traffics));
  }
  options.objective = parse_objective(options.objective_name);
  take_budget(options);
  take_weights(texts.weights, options);
  take_axes(texts, options);
  options.command = command_of(options, texts);
  return options;
}

}  // namespace pssp
