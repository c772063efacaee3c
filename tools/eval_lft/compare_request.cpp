#include "tools/eval_lft/compare_request.h"

#include <string>
#include <utility>
#include <vector>

#include "base/file_io.h"
#include "evaluator/report/comparison_report.h"
#include "evaluator/report/structured_report.h"
#include "tools/eval_lft/json/report_json.h"

namespace pssp {
namespace {

/// `structured`: of all tables, or empty.
std::string comparison_text(const Comparison& comparison,
                            const std::vector<StructuredTraffic>& structured,
                            const std::vector<EvalInput>& inputs, bool json) {
  if (!json) {
    if (structured.empty()) return to_text(comparison);
    std::vector<std::string> names;
    names.reserve(inputs.size());
    for (const EvalInput& input : inputs) names.push_back(input.name);
    return to_text(comparison) + "\n" + to_text(names, structured);
  }
  std::vector<std::string> warnings;
  for (const EvalInput& input : inputs)
    warnings.insert(warnings.end(), input.warnings.begin(), input.warnings.end());
  return to_json_report(comparison, structured, warnings);
}

}  // namespace

int CompareRequest::run(const Common& common, Processes& processes) const {
  std::vector<OrderedHosts> hosts;
  const std::vector<EvalInput> inputs = processes.together([&] {
    std::vector<EvalInput> read = read_inputs(common);
    for (const EvalInput& input : read) {
      if (structured_suite_.is_table()) hosts.push_back(structured_suite_.order(input.fabric));
    }
    return read;
  });
  Digest digest = scoring_.digest();
  digest.add(structured_suite_.digest());
  require_same_work(processes, inputs, common, Question::compare, digest);
  Comparison comparison;
  comparison.seed = common.seed;
  std::vector<std::vector<double>> bandwidths;
  std::vector<VerifyReport> reports;
  std::vector<StructuredTraffic> structured;
  EvaluationOptions options = scoring_.evaluation;
  options.single_hosts = false;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const EvalInput& input = inputs[i];
    if (processes.is_first()) print_warnings(input.warnings);
    options.lids = scoring_.lids.on(input.fabric);
    Evaluation evaluation = evaluate_with_progress(input, options, processes);
    // All are compared bisection by bisection: the first determines their number.
    options.precision.reset();
    options.bisections.patterns = evaluation.bandwidths.size();
    comparison.tables.push_back(compared_tables(input.name, evaluation));
    if (processes.is_first() && structured_suite_.is_table())
      structured.push_back(*structured_suite_.measure(input, std::move(hosts[i]), evaluation));
    bandwidths.push_back(std::move(evaluation.bandwidths));
    reports.push_back(std::move(evaluation.verify));
  }
  if (!processes.is_first()) return 0;
  compare(comparison, bandwidths);
  write_file(common.output, comparison_text(comparison, structured, inputs, common.json));
  if (!common.csv.empty()) write_file(common.csv, to_csv(comparison));
  draw_bisections(inputs, bandwidths, common);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    require_usable(reports[i], scoring_.require_acyclic, inputs[i].name);
  return 0;
}

}  // namespace pssp
