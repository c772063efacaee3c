// Simulations of patterns: the pattern's levels on the tables, run after run.

#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "base/json_text.h"
#include "evaluator/flows/pattern_simulation.h"
#include "evaluator/hosts/host_mapping.h"
#include "evaluator/hosts/node_ordering_file.h"
#include "evaluator/metrics/application_time.h"
#include "evaluator/metrics/cable_congestion.h"
#include "evaluator/metrics/crossbar.h"
#include "evaluator/metrics/run_quantities.h"
#include "evaluator/patterns/print_pattern.h"
#include "evaluator/patterns/registry.h"
#include "evaluator/pictures/cable_graph.h"
#include "evaluator/pictures/fabric_map.h"
#include "evaluator/pictures/simulation_plot.h"
#include "evaluator/report/comparison_report.h"
#include "evaluator/report/csv_report.h"
#include "evaluator/report/simulation_text.h"
#include "tools/eval_lft/eval_lft_input.h"
#include "tools/eval_lft/eval_lft_tasks.h"
#include "tools/eval_lft/json/comparison_json.h"
#include "tools/eval_lft/json/simulation_json.h"
#include "tools/kit/progress_line.h"

namespace pssp {
namespace {

/// A pattern with hosts for its ranks, on one fabric.
struct PreparedPattern {
  std::unique_ptr<Pattern> pattern;
  HostMapping mapping;
  std::vector<std::string> warnings;
};

PreparedPattern prepare(const Fabric& fabric, const PatternOptions& options) {
  HostMappingOptions hosts;
  hosts.ranks = options.request.ranks;
  hosts.selection = options.selection;
  hosts.shuffle = options.shuffle;
  hosts.selection_of_first = options.selection_of_first;
  hosts.ranks_of_first = options.request.ranks_of_first;
  std::vector<std::string> warnings;
  if (!options.node_ordering.empty()) {
    NodeOrdering ordering = read_node_ordering(options.node_ordering, fabric);
    hosts.fixed_first = std::move(ordering.hosts);
    warnings = std::move(ordering.warnings);
  }
  HostMapping mapping(fabric, hosts);
  PatternRequest request = options.request;
  request.ranks = mapping.ranks();
  std::unique_ptr<Pattern> pattern = make_pattern(request);
  require_level(*pattern, options.level);
  return {std::move(pattern), std::move(mapping), std::move(warnings)};
}

std::string_view words_for(HostSelection selection) {
  switch (selection) {
    case HostSelection::random:
      return "chosen at random";
    case HostSelection::linear_bfs:
      return "by breadth-first search";
    case HostSelection::guid_ascending:
      return "by ascending GUID";
    case HostSelection::guid_descending:
      return "by descending GUID";
  }
  return "";
}

std::string hosts_in_words(const PatternOptions& options) {
  std::string words(words_for(options.selection));
  if (options.selection_of_first) {
    words += fmt::format(", those of the first pattern {}", words_for(*options.selection_of_first));
  }
  if (!options.node_ordering.empty()) words += ", the first by " + options.node_ordering;
  return words + (options.shuffle ? ", shuffled in every run" : ", the same in every run");
}

std::string name_of(const PatternRequest& request) {
  if (request.first.empty() && request.second.empty()) return request.pattern;
  return fmt::format("{} {} {} ({} ranks in the first)", request.pattern, request.first,
                     request.second, request.ranks_of_first);
}

bool wants(const EvalOptions& options, Metric metric) {
  return std::ranges::find(options.pattern.metrics, metric) != options.pattern.metrics.end();
}

/// Runs shared out to all processes; the result of all runs in each.
SimulationResult simulate_together(const RouteStore& routes, const PreparedPattern& prepared,
                                   SimulationOptions options, const Processes& processes) {
  const Share share = processes.share(options.runs);
  options.first_run += share.first;
  options.runs = share.count;
  ProgressLine progress("runs");
  SimulationResult result = simulate(routes, *prepared.pattern, prepared.mapping, options,
                                     [&](std::uint64_t done, std::uint64_t all) {
                                       if (processes.is_first()) progress.update(done, all);
                                     });
  result.runs = processes.gather(result.runs);
  processes.add_up(result.histogram);
  if (options.cables) {
    result.cables.channels.resize(routes.channel_count());
    result.cables.sent.resize(routes.endpoint_count());
    result.cables.received.resize(routes.endpoint_count());
    processes.add_up(result.cables.channels);
    processes.add_up(result.cables.sent);
    processes.add_up(result.cables.received);
  }
  return result;
}

SimulationOptions simulation_options(const EvalOptions& options) {
  return {.runs = options.pattern.runs,
          .seed = options.evaluation.bisections.seed,
          .level = options.pattern.level,
          .host_links = options.pattern.host_links,
          .histogram = true,
          .cables = !options.map.empty() || wants(options, Metric::get_cable_cong)};
}

SimulationReport report_on(const EvalInput& input, const EvalOptions& options,
                           const PreparedPattern& prepared, const Processes& processes) {
  const RouteStore routes(input.fabric, input.tables);
  SimulationReport report;
  report.pattern = name_of(options.pattern.request);
  report.levels = prepared.pattern->level_count();
  report.ranks = prepared.mapping.ranks();
  report.observed = prepared.pattern->observed_ranks();
  report.hosts = routes.endpoint_count();
  report.hosts_of_ranks = hosts_in_words(options.pattern);
  report.options = simulation_options(options);
  report.metrics = options.pattern.metrics;
  report.bin_width = options.pattern.bin_width;
  if (options.pattern.host_links == HostLinks::counted && wants(options, Metric::bounds)) {
    report.crossbar = crossbar_congestion(*prepared.pattern, report.ranks, report.options.seed,
                                          options.pattern.level);
  }
  report.result = simulate_together(routes, prepared, report.options, processes);
  return report;
}

/// The number of a run that a comparison by this metric is about.
std::pair<RunQuantity, Better> compared_quantity(Metric metric) {
  switch (metric) {
    case Metric::sum_max_cong:
      return {RunQuantity::max_congestion_sum, Better::lower};
    case Metric::dep_max_delay:
      return {RunQuantity::delay, Better::lower};
    case Metric::bounds:
      return {RunQuantity::optimistic_bandwidth, Better::higher};
    case Metric::hist_max_cong:
    case Metric::hist_acc_band:
    case Metric::get_cable_cong:
      break;
  }
  return {RunQuantity::bandwidth, Better::higher};
}

void write_cable_graph(const EvalInput& input, const SimulationReport& report,
                       const std::string& file) {
  const ScaledCongestion congestion =
      scaled_congestion(input.fabric, report.result.cables, report.options.host_links);
  write_file(file, [&](const ContentSink& sink) {
    write_congested_dot(
        input.fabric, input.tables, congestion,
        [&](DotEdge edge, std::vector<DotAttribute>& attributes) {
          input.notes.append(input.fabric, edge, attributes);
        },
        sink);
  });
}

void draw_flow_map(const EvalInput& input, const SimulationReport& report,
                   const std::string& file) {
  FabricMap map;
  map.title =
      fmt::format("{}: {}", std::filesystem::path(input.name).filename().string(), report.pattern);
  map.load_name = "mean flows of a run, relative to capacity";
  const auto runs = static_cast<double>(report.result.runs.size());
  for (std::size_t c = 0; c < input.fabric.channel_count(); ++c) {
    map.loads.push_back(static_cast<double>(report.result.cables.channels[c]) *
                        input.fabric.channel_cost()[c] / runs);
  }
  draw(input.fabric, map, file);
}

/// The graph of get_cable_cong is the answer where nothing else was asked for.
void require_place_for_graph(const EvalOptions& options) {
  if (!wants(options, Metric::get_cable_cong)) {
    if (options.cable_graph.empty()) return;
    throw Error(ErrorKind::usage, "--cable-graph is the file for --metric get_cable_cong");
  }
  if (!options.compared.empty()) {
    throw Error(ErrorKind::usage,
                "get_cable_cong is a graph of one set of tables; --compare "
                "compares numbers");
  }
  if (options.pattern.metrics.size() == 1 || !options.cable_graph.empty()) return;
  throw Error(
      ErrorKind::usage,
      "get_cable_cong writes a graph; with other metrics beside it, name a file for it with "
      "--cable-graph");
}

void write_one(const EvalInput& input, const SimulationReport& report, const EvalOptions& options,
               const std::vector<std::string>& warnings) {
  const bool only_graph = options.pattern.metrics.size() == 1 && options.cable_graph.empty() &&
                          wants(options, Metric::get_cable_cong);
  if (only_graph) {
    write_cable_graph(input, report, options.output);
  } else {
    write_file(options.output,
               options.json ? to_json_report(report, warnings) : to_text_report(report));
    if (!options.cable_graph.empty()) write_cable_graph(input, report, options.cable_graph);
  }
  if (!options.csv.empty()) {
    write_file(options.csv,
               [&](const ContentSink& sink) { write_csv(report.result.runs, 0, sink); });
  }
  if (!options.map.empty()) draw_flow_map(input, report, options.map);
}

void write_comparison(const std::vector<EvalInput>& inputs,
                      const std::vector<SimulationReport>& reports, const EvalOptions& options) {
  Comparison comparison;
  const Metric metric = options.pattern.metrics.front();
  const auto [quantity, better] = compared_quantity(metric);
  comparison.metric = fmt::format("{}: {}", reports.front().pattern, axis_label(quantity));
  comparison.better = better;
  comparison.seed = reports.front().options.seed;
  std::vector<std::vector<double>> values;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    EvaluationOptions structure = options.evaluation;
    structure.bisections.patterns = 0;
    comparison.tables.push_back(
        compared_tables(inputs[i].name, evaluate(inputs[i].fabric, inputs[i].tables, structure)));
    values.emplace_back();
    for (const RunResult& run : reports[i].result.runs) {
      values.back().push_back(value_of(quantity, run));
    }
  }
  compare(comparison, values);
  write_file(options.output, options.json ? dump_json(to_json(comparison)) : to_text(comparison));
  if (!options.csv.empty()) write_file(options.csv, to_csv(comparison));
}

void draw_runs(const std::vector<EvalInput>& inputs, const std::vector<SimulationReport>& reports,
               const EvalOptions& options) {
  if (options.plot.empty()) return;
  std::vector<NamedSimulation> named;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    named.push_back({std::filesystem::path(inputs[i].name).filename().string(), reports[i]});
  }
  draw(simulation_plot(named, options.pattern.metrics.front()), options.plot);
}

/// Mean bandwidth of a pattern, relative to a crossbar: what the Cluster 2008 paper calls effective
/// bandwidth (section 5.1: mean of the optimistic bounds).
double bandwidth_of(const EvalInput& input, const RouteStore& routes, const EvalOptions& options,
                    const std::string& pattern, const Processes& processes) {
  PatternOptions wanted = options.pattern;
  wanted.request.pattern = pattern;
  const PreparedPattern prepared = prepare(input.fabric, wanted);
  SimulationOptions simulation = simulation_options(options);
  simulation.histogram = false;
  const SimulationResult result = simulate_together(routes, prepared, simulation, processes);
  const double crossbar =
      simulation.host_links == HostLinks::counted
          ? crossbar_congestion(*prepared.pattern, prepared.mapping.ranks(), simulation.seed)
                .optimistic
          : 1;
  const std::vector<double> bandwidths = values_of(RunQuantity::optimistic_bandwidth, result.runs);
  if (bandwidths.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("--application: nobody sends in pattern '{}'", pattern));
  }
  double sum = 0;
  for (const double bandwidth : bandwidths) sum += bandwidth;
  return std::min(1.0, crossbar * sum / static_cast<double>(bandwidths.size()));
}

}  // namespace

int simulate_pattern(const EvalOptions& options, Processes& processes) {
  std::vector<PreparedPattern> prepared;
  std::vector<EvalInput> inputs = processes.together([&] {
    require_place_for_graph(options);
    if (!options.map.empty()) require_map_format(options.map);
    std::vector<EvalInput> read = read_eval_inputs(options);
    for (const EvalInput& input : read) prepared.push_back(prepare(input.fabric, options.pattern));
    return read;
  });
  std::vector<SimulationReport> reports;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    std::vector<std::string>& warnings = inputs[i].warnings;
    warnings.insert(warnings.end(), prepared[i].warnings.begin(), prepared[i].warnings.end());
    if (processes.is_first()) print_warnings(warnings);
    reports.push_back(report_on(inputs[i], options, prepared[i], processes));
  }
  if (!processes.is_first()) return 0;
  if (inputs.size() == 1) {
    write_one(inputs.front(), reports.front(), options, inputs.front().warnings);
  } else {
    write_comparison(inputs, reports, options);
  }
  draw_runs(inputs, reports, options);
  return 0;
}

int print_pattern(const EvalOptions& options, Processes& processes) {
  std::optional<PreparedPattern> prepared;
  const std::vector<EvalInput> inputs = processes.together([&] {
    std::vector<EvalInput> read = read_eval_inputs(options);
    prepared.emplace(prepare(read.front().fabric, options.pattern));
    return read;
  });
  if (!processes.is_first()) return 0;
  const Fabric& fabric = inputs.front().fabric;
  const std::uint64_t seed = options.evaluation.bisections.seed;
  std::vector<std::uint32_t> hosts;
  prepared->mapping.draw(seed, 0, hosts);
  std::vector<std::string> names;
  names.reserve(hosts.size());
  for (const std::uint32_t host : hosts) {
    names.push_back(fabric.label(fabric.endpoints()[host]));
  }
  write_file(options.output, [&](const ContentSink& sink) {
    for (std::uint32_t level = 0; level < prepared->pattern->level_count(); ++level) {
      if (options.pattern.level >= 0 &&
          level != static_cast<std::uint32_t>(options.pattern.level)) {
        continue;
      }
      print_level(*prepared->pattern, level, level_random(seed, 0, level), names, sink);
    }
  });
  return 0;
}

int estimate_application(const EvalOptions& options, Processes& processes) {
  std::vector<CommunicationPart> parts;
  const std::vector<EvalInput> inputs = processes.together([&] {
    parts = parse_application(options.application);
    return read_eval_inputs(options);
  });
  const EvalInput& input = inputs.front();
  if (processes.is_first()) print_warnings(input.warnings);
  const RouteStore routes(input.fabric, input.tables);
  for (CommunicationPart& part : parts) {
    if (part.pattern.empty()) continue;
    part.bandwidth = bandwidth_of(input, routes, options, part.pattern, processes);
  }
  if (!processes.is_first()) return 0;
  write_file(options.output,
             options.json ? to_json_report(parts, input.warnings) : to_text_report(parts));
  return 0;
}

}  // namespace pssp
