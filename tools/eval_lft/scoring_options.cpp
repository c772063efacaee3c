#include "tools/eval_lft/scoring_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "evaluator/pictures/simulation_plot.h"
#include "tools/kit/progress_line.h"

namespace pssp {

Option ScoringOptions::add_options(QuestionLine& line) {
  const char* const runs_elsewhere =
      "is for the report on the tables; for the runs of a pattern use --num-runs";
  const Position bisections{{Question::score, Question::compare}, runs_elsewhere};
  const Position any_bisections{{Question::score, Question::compare, Question::adaptive},
                                runs_elsewhere};
  const Position structure{{Question::score, Question::compare, Question::compare_patterns},
                           "is for the report on tables or their comparison"};
  const Position verdict{{Question::score, Question::compare},
                         "is for the report on tables or their comparison"};
  line.option(any_bisections, report_group, "-n,--patterns", evaluation.bisections.patterns,
              "Number of random bisections")
      .range(1, 100'000'000)
      .show_default();
  line.option(bisections, report_group, "--precision", precision_,
              "Stop when the 95 % interval of the bandwidth is at most +/- this, or after -n "
              "bisections (default 10^8)")
      .range(1e-7, 1.0);
  const Option skip = line.flag(structure, report_group, "--no-credit-loops", skip_credit_loops_,
                                "Do not search for credit loops (saves time)");
  Option require = line.flag(verdict, report_group, "--require-acyclic", require_acyclic,
                             "Exit with code 7 if there is a credit loop")
                       .excludes(skip);
  line.flag(structure, report_group, "--count-lanes", evaluation.lanes.search,
            "If there is a credit loop, search for the number of virtual lanes needed (may take "
            "seconds)")
      .excludes(skip);
  line.flag(structure, report_group, "--end-ports-only", end_ports_only_,
            "Virtual lanes: omit the routes to and from the management ports of switches");
  lids.add_options(line);
  return require;
}

void ScoringOptions::take(const QuestionLine& line, const Common& common) {
  if (end_ports_only_ && skip_credit_loops_ && !line.given("--service-levels")) {
    throw Error(ErrorKind::usage,
                "--end-ports-only concerns virtual lanes; omit --no-credit-loops or add "
                "--service-levels");
  }
  lids.take(line);
  evaluation.bisections.seed = common.seed;
  evaluation.verify.credit_loops = !skip_credit_loops_;
  evaluation.lanes.switch_ports = !end_ports_only_;
  if (!precision_) return;
  PrecisionTarget& target = evaluation.precision.emplace();
  target.half_width = *precision_;
  if (!line.given("--patterns")) return;
  target.most = evaluation.bisections.patterns;
  target.least = std::min(target.least, target.most);
}

EvaluationOptions ScoringOptions::on(const Fabric& fabric) const {
  EvaluationOptions options = evaluation;
  options.lids = lids.on(fabric);
  options.lids_chosen = lids.is_chosen();
  return options;
}

Digest ScoringOptions::digest() const {
  Digest digest = lids.digest();
  digest.add(evaluation.bisections.patterns);
  if (evaluation.precision) {
    digest.add_real(evaluation.precision->half_width);
    digest.add(evaluation.precision->most);
  }
  return digest;
}

Evaluation evaluate_with_progress(const EvalInput& input, const EvaluationOptions& options,
                                  const Processes& processes) {
  if (!processes.is_first()) return evaluate(input.fabric, input.tables, options, processes);
  ProgressLine progress("bisections");
  return evaluate(input.fabric, input.tables, options, processes,
                  [&](std::uint64_t done, std::uint64_t all) { progress.update(done, all); });
}

void draw_bisections(const std::vector<EvalInput>& inputs,
                     const std::vector<std::vector<double>>& bandwidths, const Common& common) {
  if (common.plot.empty()) return;
  if (bandwidths.front().empty()) {
    throw Error(ErrorKind::usage, "--plot needs a fabric of at least two hosts");
  }
  std::vector<NamedBisections> named;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    named.push_back({std::filesystem::path(inputs[i].name).filename().string(), bandwidths[i]});
  }
  const auto hosts = static_cast<std::uint32_t>(inputs.front().fabric.endpoints().size());
  draw(bisection_plot(named, hosts, common.seed), common.plot);
}

void require_usable(const VerifyReport& report, bool require_acyclic, const std::string& tables) {
  if (!report.usable()) {
    throw Error(
        ErrorKind::verification_failed,
        fmt::format("{}: the tables are broken (see the report): route the fabric again", tables));
  }
  if (require_acyclic && report.has_credit_loop()) {
    throw Error(
        ErrorKind::verification_failed,
        fmt::format("{}: the routes have a credit loop: use another engine or virtual lanes",
                    tables));
  }
}

}  // namespace pssp
