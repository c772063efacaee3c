#include "tools/eval_lft/adaptive_request.h"

#include <filesystem>

#include "base/file_io.h"
#include "evaluator/flows/shortest_ports.h"
#include "evaluator/metrics/run_quantities.h"
#include "tools/eval_lft/json/report_json.h"
#include "tools/kit/progress_line.h"

// Tables and every choice of ports get the same flows, which depend only on the seed and the number
// of a run. The row of the tables equals the figure of the report, or of the pattern, exactly.

namespace pssp {
namespace {

template <class Routes>
std::vector<BisectionScore> bisections_together(const Routes& routes, BisectionOptions options,
                                                const Processes& processes) {
  const Share share = processes.share(options.patterns);
  options.first = share.first;
  options.patterns = share.count;
  ProgressLine progress("bisections");
  return processes.gather(
      bisection_scores(routes, options, [&](std::uint64_t done, std::uint64_t all) {
        if (processes.is_first()) progress.update(done, all);
      }));
}

}  // namespace

void AdaptiveRequest::add_options(QuestionLine& line) {
  line.option({{Question::adaptive, Question::adaptive_pattern},
               "is for bisections or a pattern, with at most one set of tables"},
              report_group, "--adaptive", choices_text_,
              "Also estimate adaptive routing over all minimal next hops: flow, spray or hash:Q, "
              "separated by commas; the tables are optional")
      .type_name("MODEL");
}

void AdaptiveRequest::take(bool is_pattern, const RanksOptions& ranks,
                           const ScoringOptions& scoring) {
  is_pattern_ = is_pattern;
  ranks_ = ranks;
  bisections_ = scoring.evaluation.bisections;
  if (is_asked()) choices_ = parse_adaptive_choices(choices_text_);
}

Digest AdaptiveRequest::digest(const Common& common,
                               const std::optional<PreparedPattern>& prepared) const {
  Digest digest = ranks_.digest();
  digest.add_text(choices_text_);
  digest.add(bisections_.patterns);
  if (prepared) prepared->add_to(digest, common.seed);
  return digest;
}

template <class Routes>
AdaptiveRequest::Sample AdaptiveRequest::sample(const Routes& routes,
                                                const std::optional<PreparedPattern>& prepared,
                                                const Common& common,
                                                const Processes& processes) const {
  Sample sample;
  if (!prepared) {
    for (const BisectionScore& each : bisections_together(routes, bisections_, processes)) {
      sample.bandwidths.push_back(each.bandwidth);
      sample.slowest.push_back(each.slowest);
    }
    return sample;
  }
  SimulationOptions options = ranks_.simulation(common);
  options.histogram = false;
  const SimulationResult result = simulate_together(routes, *prepared, options, processes);
  return {values_of(RunQuantity::bandwidth, result.runs),
          values_of(RunQuantity::slowest_bandwidth, result.runs)};
}

AdaptiveReport AdaptiveRequest::measure(const EvalInput& input,
                                        const std::optional<PreparedPattern>& prepared,
                                        const Common& common, const Processes& processes) const {
  AdaptiveReport report;
  report.traffic = prepared ? ranks_.pattern_text() : "random bisections";
  if (prepared) report.hosts_of_ranks = ranks_.hosts_text();
  report.ranks = prepared ? prepared->mapping.ranks()
                          : static_cast<std::uint32_t>(input.fabric.endpoints().size());
  report.runs = prepared ? ranks_.runs : bisections_.patterns;
  report.seed = common.seed;
  if (input.has_tables) {
    const Sample found =
        sample(RouteStore(input.fabric, input.tables), prepared, common, processes);
    add_row(report, std::filesystem::path(input.name).filename().string(), std::nullopt,
            found.bandwidths, found.slowest);
  }
  const ShortestPorts paths(input.fabric);
  for (const AdaptiveChoice& choice : choices_) {
    const Sample found = sample(AdaptiveRoutes{paths, choice}, prepared, common, processes);
    add_row(report, name_of(choice), choice, found.bandwidths, found.slowest);
  }
  return report;
}

int AdaptiveRequest::run(const Common& common, Processes& processes) const {
  std::optional<PreparedPattern> prepared;
  std::vector<EvalInput> inputs = processes.together([&] {
    std::vector<EvalInput> read = read_inputs(common, TablesNeeded::no);
    if (is_pattern_) prepared = ranks_.prepare(read.front().fabric, ranks_.spec);
    return read;
  });
  const Question question = is_pattern_ ? Question::adaptive_pattern : Question::adaptive;
  require_same_work(processes, inputs, common, question, digest(common, prepared));
  EvalInput& input = inputs.front();
  if (prepared) {
    input.warnings.insert(input.warnings.end(), prepared->warnings.begin(),
                          prepared->warnings.end());
  }
  if (processes.is_first()) print_warnings(input.warnings);
  const AdaptiveReport report = measure(input, prepared, common, processes);
  if (!processes.is_first()) return 0;
  write_file(common.output, common.json ? to_json_report(report, input.warnings) : to_text(report));
  if (!common.csv.empty()) write_file(common.csv, to_csv(report));
  return 0;
}

}  // namespace pssp
