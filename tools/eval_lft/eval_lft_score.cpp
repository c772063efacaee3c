// The report on tables, and several of them side by side.

#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "base/json_text.h"
#include "evaluator/pictures/fabric_map.h"
#include "evaluator/pictures/simulation_plot.h"
#include "evaluator/report/comparison_report.h"
#include "evaluator/report/csv_report.h"
#include "evaluator/report/fairness_report.h"
#include "evaluator/report/text_report.h"
#include "evaluator/scoring/evaluation.h"
#include "evaluator/scoring/lane_proof.h"
#include "fabric/formats/service_level_file.h"
#include "tools/eval_lft/eval_lft_input.h"
#include "tools/eval_lft/eval_lft_tasks.h"
#include "tools/eval_lft/json/comparison_json.h"
#include "tools/eval_lft/json/evaluation_json.h"
#include "tools/kit/progress_line.h"

namespace pssp {
namespace {

Evaluation evaluate_with_progress(const EvalInput& input, const EvaluationOptions& options,
                                  const Processes& processes) {
  if (!processes.is_first()) return evaluate(input.fabric, input.tables, options, processes);
  ProgressLine progress("bisections");
  return evaluate(input.fabric, input.tables, options, processes,
                  [&](std::uint64_t done, std::uint64_t all) { progress.update(done, all); });
}

void draw_bisections(const std::vector<EvalInput>& inputs,
                     const std::vector<std::vector<double>>& bandwidths,
                     const EvalOptions& options) {
  if (options.plot.empty()) return;
  if (bandwidths.front().empty()) {
    throw Error(ErrorKind::usage, "--plot: fewer than two hosts have no bandwidth to show");
  }
  std::vector<NamedBisections> named;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    named.push_back({std::filesystem::path(inputs[i].name).filename().string(), bandwidths[i]});
  }
  const auto hosts = static_cast<std::uint32_t>(inputs.front().fabric.endpoints().size());
  draw(bisection_plot(named, hosts, options.evaluation.bisections.seed), options.plot);
}

void draw_index_map(const EvalInput& input, const Evaluation& evaluation, const std::string& file) {
  FabricMap map;
  map.title = fmt::format("{}: edge forwarding index",
                          std::filesystem::path(input.name).filename().string());
  for (std::size_t c = 0; c < evaluation.loads.size(); ++c) {
    map.loads.push_back(static_cast<double>(evaluation.loads[c]) * input.fabric.channel_cost()[c]);
  }
  draw(input.fabric, map, file);
}

void write_answers(const EvalInput& input, const Evaluation& evaluation,
                   const EvalOptions& options) {
  write_file(options.output,
             options.json ? to_json_report(input.fabric, input.tables, evaluation, input.warnings)
                          : to_text_report(input.fabric, input.tables, evaluation));
  if (!options.csv.empty()) {
    write_file(options.csv,
               [&](const ContentSink& sink) { write_csv(evaluation.bandwidths, sink); });
  }
  if (!options.host_csv.empty()) {
    write_file(options.host_csv, to_csv(input.fabric, evaluation.fairness));
  }
  if (!options.map.empty()) draw_index_map(input, evaluation, options.map);
}

void require_usable(const VerifyReport& report, const EvalOptions& options,
                    const std::string& tables) {
  if (!report.usable()) {
    throw Error(
        ErrorKind::verification_failed,
        fmt::format("{}: the tables are broken (the report says how): route the fabric anew",
                    tables));
  }
  if (options.require_acyclic && report.has_credit_loop()) {
    throw Error(
        ErrorKind::verification_failed,
        fmt::format("{}: the routes have a credit loop: take an engine without, or virtual lanes",
                    tables));
  }
}

void require_usable(const AssignedLanes& lanes) {
  if (lanes.is_usable()) return;
  throw Error(ErrorKind::verification_failed,
              fmt::format("{}: the service levels are not free of deadlocks (the report says why): "
                          "assign them anew, for these tables",
                          lanes.name));
}

std::string comparison_text(const Comparison& comparison, const std::vector<EvalInput>& inputs,
                            bool json) {
  if (!json) return to_text(comparison);
  nlohmann::ordered_json object = to_json(comparison);
  object["warnings"] = nlohmann::ordered_json::array();
  for (const EvalInput& input : inputs) {
    for (const std::string& warning : input.warnings) object["warnings"].push_back(warning);
  }
  object["version"] = PSSP_VERSION;
  return dump_json(object);
}

}  // namespace

int score_tables(const EvalOptions& options, Processes& processes) {
  std::optional<ServiceLevels> levels;
  const std::vector<EvalInput> inputs = processes.together([&] {
    if (!options.map.empty()) require_map_format(options.map);
    std::vector<EvalInput> read = read_eval_inputs(options);
    if (!options.service_levels.empty()) {
      levels =
          match_service_levels(read_service_levels(options.service_levels), read.front().fabric);
    }
    return read;
  });
  const EvalInput& input = inputs.front();
  if (processes.is_first()) print_warnings(input.warnings);
  Evaluation evaluation = evaluate_with_progress(input, options.evaluation, processes);
  if (!processes.is_first()) return 0;
  if (levels) {
    evaluation.assigned = prove_lanes(options.service_levels, input.fabric, input.tables, *levels,
                                      {options.evaluation.lanes.switch_ports});
  }
  write_answers(input, evaluation, options);
  draw_bisections(inputs, {evaluation.bandwidths}, options);
  require_usable(evaluation.verify, options, input.name);
  if (evaluation.assigned) require_usable(*evaluation.assigned);
  return 0;
}

int compare_tables(const EvalOptions& options, Processes& processes) {
  const std::vector<EvalInput> inputs =
      processes.together([&] { return read_eval_inputs(options); });
  Comparison comparison;
  comparison.seed = options.evaluation.bisections.seed;
  std::vector<std::vector<double>> bandwidths;
  std::vector<VerifyReport> reports;
  EvaluationOptions evaluation_options = options.evaluation;
  for (const EvalInput& input : inputs) {
    if (processes.is_first()) print_warnings(input.warnings);
    Evaluation evaluation = evaluate_with_progress(input, evaluation_options, processes);
    // All are compared bisection by bisection: the first decides how many there are.
    evaluation_options.precision.reset();
    evaluation_options.bisections.patterns = evaluation.bandwidths.size();
    comparison.tables.push_back(compared_tables(input.name, evaluation));
    bandwidths.push_back(std::move(evaluation.bandwidths));
    reports.push_back(std::move(evaluation.verify));
  }
  if (!processes.is_first()) return 0;
  compare(comparison, bandwidths);
  write_file(options.output, comparison_text(comparison, inputs, options.json));
  if (!options.csv.empty()) write_file(options.csv, to_csv(comparison));
  draw_bisections(inputs, bandwidths, options);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    require_usable(reports[i], options, inputs[i].name);
  }
  return 0;
}

}  // namespace pssp
