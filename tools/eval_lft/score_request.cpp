#include "tools/eval_lft/score_request.h"

#include <fmt/core.h>

#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "evaluator/pictures/fabric_map.h"
#include "evaluator/report/csv_report.h"
#include "evaluator/report/fairness_report.h"
#include "evaluator/report/text_report.h"
#include "evaluator/scoring/lane_proof.h"
#include "fabric/formats/service_level_file.h"
#include "tools/eval_lft/json/report_json.h"

namespace pssp {
namespace {

void draw_index_map(const EvalInput& input, const Evaluation& evaluation, const std::string& file) {
  FabricPicture map;
  map.title = fmt::format("{}: edge forwarding index",
                          std::filesystem::path(input.name).filename().string());
  for (std::size_t c = 0; c < evaluation.loads.size(); ++c) {
    map.loads.push_back(static_cast<double>(evaluation.loads[c]) * input.fabric.channel_cost()[c]);
  }
  draw(input.fabric, map, file);
}

void require_usable(const AssignedLanes& lanes) {
  if (lanes.is_usable()) return;
  throw Error(
      ErrorKind::verification_failed,
      fmt::format(
          "{}: the service levels allow deadlocks (see the report): assign service levels for "
          "these tables again",
          lanes.name));
}

}  // namespace

void ScoreRequest::add_options(QuestionLine& line, const Option& require_acyclic) {
  const Position report{{Question::score}, "is for the report on one set of tables"};
  line.option(report, report_group, "--top", top_,
              "Number of busiest channels and worst hosts to list")
      .show_default();
  line.option(report, report_group, "--worst-pairs", worst_pairs_,
              "Number of pairs with the lowest bandwidth to list, with their paths")
      .range(0, 100'000)
      .show_default();
  const Option effort =
      line.option(
              report, report_group, "--ceiling-effort", ceiling_effort_,
              "Effort for the upper bound of any routing, in million examined channels; 0: only "
              "the bound for one LID per host")
          .range(0, 1'000'000)
          .show_default();
  line.flag(report, report_group, "--no-ceiling", no_ceiling_,
            "Omit the upper bound of the bandwidth")
      .excludes(effort);
  line.option(report, report_group, "--examples", examples_,
              "Number of examples to list for each type of defect")
      .show_default();
  line.option(report, report_group, "--service-levels", service_levels_,
              "Prove that these service levels (written by pssp route --lanes) are deadlock-free")
      .excludes(require_acyclic)
      .reads();
  line.option(report, "Output", "--host-csv", host_csv_, "Write the bandwidth of each host to FILE")
      .writes();
}

void ScoreRequest::take(const ScoringOptions& scoring, const SuiteOptions& structured_suite) {
  scoring_ = scoring;
  structured_suite_ = structured_suite;
  scoring_.evaluation.busiest_channels = scoring_.evaluation.worst_hosts = top_;
  if (!no_ceiling_) scoring_.evaluation.ceiling_effort = ceiling_effort_;
  scoring_.evaluation.worst_pairs = worst_pairs_;
  scoring_.evaluation.verify.max_examples = examples_;
}

int ScoreRequest::run(const Common& common, Processes& processes) const {
  std::optional<ServiceLevels> levels;
  OrderedHosts hosts;
  const std::vector<EvalInput> inputs = processes.together([&] {
    if (!common.map.empty()) require_map_format(common.map);
    std::vector<EvalInput> read = read_inputs(common);
    if (!service_levels_.empty())
      levels = match_service_levels(read_service_levels(service_levels_), read.front().fabric);
    hosts = structured_suite_.order(read.front().fabric);
    return read;
  });
  Digest options = scoring_.digest();
  options.add(structured_suite_.digest());
  require_same_work(processes, inputs, common, Question::score, options);
  const EvalInput& input = inputs.front();
  if (processes.is_first()) print_warnings(input.warnings);
  Evaluation evaluation = evaluate_with_progress(input, scoring_.on(input.fabric), processes);
  if (!processes.is_first()) return 0;
  evaluation.structured = structured_suite_.measure(input, std::move(hosts), evaluation);
  if (levels) {
    evaluation.assigned = prove_lanes(service_levels_, input.fabric, input.tables, *levels,
                                      {scoring_.evaluation.lanes.switch_ports});
  }
  write_file(common.output,
             common.json ? to_json_report(input.fabric, input.tables, evaluation, input.warnings)
                         : to_text_report(input.fabric, input.tables, evaluation));
  if (!common.csv.empty()) {
    write_file(common.csv,
               [&](const ContentSink& sink) { write_csv(evaluation.bandwidths, sink); });
  }
  if (!host_csv_.empty()) write_file(host_csv_, to_csv(input.fabric, evaluation.fairness));
  if (!common.map.empty()) draw_index_map(input, evaluation, common.map);
  draw_bisections(inputs, {evaluation.bandwidths}, common);
  require_usable(evaluation.verify, scoring_.require_acyclic, input.name);
  if (evaluation.assigned) require_usable(*evaluation.assigned);
  return 0;
}

}  // namespace pssp
