#include "tools/eval_lft/pattern_request.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file_io.h"
#include "base/json_text.h"
#include "evaluator/metrics/cable_congestion.h"
#include "evaluator/pictures/cable_graph.h"
#include "evaluator/pictures/fabric_map.h"
#include "evaluator/pictures/simulation_plot.h"
#include "evaluator/report/comparison_report.h"
#include "evaluator/report/csv_report.h"
#include "evaluator/report/simulation_text.h"
#include "tools/eval_lft/json/report_json.h"

namespace pssp {
namespace {

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
  FabricPicture map;
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

}  // namespace

void PatternRequest::add_options(QuestionLine& line) {
  const Position pattern{{Question::pattern, Question::compare_patterns, Question::print},
                         belongs_to_patterns};
  line.option(pattern, pattern_group, "--metric", metric_names_,
              "Metric to report, repeatable; --list shows all (default: hist_max_cong and "
              "hist_acc_band)")
      .one_at_a_time();
  line.option(pattern, pattern_group, "--bin-width", bin_width_,
              "Width of the bins of hist_acc_band")
      .show_default();
  line.option(pattern, "Output", "--cable-graph", cable_graph_,
              "Write the graph of metric get_cable_cong to FILE (dot)")
      .writes();
}

void PatternRequest::take(const RanksOptions& ranks, const ScoringOptions& scoring) {
  ranks_ = ranks;
  scoring_ = scoring;
  metrics_ = metrics_by_name(metric_names_);
}

bool PatternRequest::wants(Metric metric) const {
  return std::ranges::count(metrics_, metric) != 0;
}

SimulationOptions PatternRequest::simulation(const Common& common) const {
  SimulationOptions options = ranks_.simulation(common);
  options.cables = !common.map.empty() || wants(Metric::get_cable_cong);
  return options;
}

Digest PatternRequest::digest(const Common& common,
                              const std::vector<PreparedPattern>& prepared) const {
  Digest digest = ranks_.digest();
  digest.add(scoring_.lids.digest());
  digest.add(simulation(common).cables ? 1 : 0);
  for (const PreparedPattern& each : prepared) each.add_to(digest, common.seed);
  return digest;
}

SimulationReport PatternRequest::report_on(const EvalInput& input, const Common& common,
                                           const PreparedPattern& prepared,
                                           const Processes& processes) const {
  const RouteStore routes(input.fabric, input.tables);
  SimulationReport report =
      report_without_result(ranks_.pattern_text(), input.fabric, *prepared.pattern,
                            prepared.mapping, simulation(common), metrics_);
  report.hosts_of_ranks = ranks_.hosts_text();
  report.bin_width = bin_width_;
  report.lids = scoring_.lids.on(input.fabric);
  report.result = report.lids.lids > 1
                      ? simulate_together(StripedRoutes(input.fabric, input.tables, report.lids),
                                          prepared, report.options, processes)
                      : simulate_together(routes, prepared, report.options, processes);
  return report;
}

/// The graph of get_cable_cong is the output if nothing else was requested.
void PatternRequest::require_target_for_graph(const Common& common) const {
  if (!wants(Metric::get_cable_cong)) {
    if (cable_graph_.empty()) return;
    throw Error(ErrorKind::usage, "--cable-graph needs --metric get_cable_cong");
  }
  if (!common.compared.empty()) {
    throw Error(ErrorKind::usage,
                "--metric get_cable_cong draws one set of tables; omit --compare");
  }
  if (metrics_.size() == 1 || !cable_graph_.empty()) return;
  throw Error(ErrorKind::usage,
              "--metric get_cable_cong with other metrics needs a file for its graph; add "
              "--cable-graph FILE");
}

void PatternRequest::write_one(const EvalInput& input, const SimulationReport& report,
                               const Common& common) const {
  const bool only_graph =
      metrics_.size() == 1 && cable_graph_.empty() && wants(Metric::get_cable_cong);
  if (only_graph) {
    write_cable_graph(input, report, common.output);
  } else {
    write_file(common.output,
               common.json ? to_json_report(report, input.warnings) : to_text_report(report));
    if (!cable_graph_.empty()) write_cable_graph(input, report, cable_graph_);
  }
  if (!common.csv.empty()) {
    write_file(common.csv,
               [&](const ContentSink& sink) { write_csv(report.result.runs, 0, sink); });
  }
  if (!common.map.empty()) draw_flow_map(input, report, common.map);
}

void PatternRequest::write_comparison(const std::vector<EvalInput>& inputs,
                                      const std::vector<SimulationReport>& reports,
                                      const Common& common) const {
  Comparison comparison;
  const MetricDescription& metric = description_of(metrics_.front());
  comparison.metric = fmt::format("{}: {}", reports.front().pattern, metric.quantity.axis);
  comparison.better = metric.better;
  comparison.seed = reports.front().options.seed;
  std::vector<std::vector<double>> values;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    EvaluationOptions structure = scoring_.evaluation;
    structure.bisections.patterns = 0;
    structure.lids = reports[i].lids;
    comparison.tables.push_back(
        compared_tables(inputs[i].name, evaluate(inputs[i].fabric, inputs[i].tables, structure)));
    values.emplace_back();
    for (const RunResult& run : reports[i].result.runs) {
      values.back().push_back(metric.quantity.of(run));
    }
  }
  compare(comparison, values);
  write_file(common.output, common.json ? dump_json(to_json(comparison)) : to_text(comparison));
  if (!common.csv.empty()) write_file(common.csv, to_csv(comparison));
}

void PatternRequest::draw_runs(const std::vector<EvalInput>& inputs,
                               const std::vector<SimulationReport>& reports,
                               const Common& common) const {
  if (common.plot.empty()) return;
  std::vector<NamedSimulation> named;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    named.push_back({std::filesystem::path(inputs[i].name).filename().string(), reports[i]});
  }
  draw(simulation_plot(named, metrics_.front()), common.plot);
}

int PatternRequest::run(const Common& common, Processes& processes) const {
  std::vector<PreparedPattern> prepared;
  std::vector<EvalInput> inputs = processes.together([&] {
    require_target_for_graph(common);
    if (!common.map.empty()) require_map_format(common.map);
    std::vector<EvalInput> read = read_inputs(common);
    for (const EvalInput& input : read)
      prepared.push_back(ranks_.prepare(input.fabric, ranks_.spec));
    return read;
  });
  const Question question =
      common.compared.empty() ? Question::pattern : Question::compare_patterns;
  require_same_work(processes, inputs, common, question, digest(common, prepared));
  std::vector<SimulationReport> reports;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    std::vector<std::string>& warnings = inputs[i].warnings;
    warnings.insert(warnings.end(), prepared[i].warnings.begin(), prepared[i].warnings.end());
    if (processes.is_first()) print_warnings(warnings);
    reports.push_back(report_on(inputs[i], common, prepared[i], processes));
  }
  if (!processes.is_first()) return 0;
  if (inputs.size() == 1) {
    write_one(inputs.front(), reports.front(), common);
  } else {
    write_comparison(inputs, reports, common);
  }
  draw_runs(inputs, reports, common);
  return 0;
}

}  // namespace pssp
