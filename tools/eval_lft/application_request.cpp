#include "tools/eval_lft/application_request.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "evaluator/metrics/application_time.h"
#include "evaluator/metrics/crossbar.h"
#include "evaluator/metrics/run_quantities.h"
#include "evaluator/report/simulation_text.h"
#include "tools/eval_lft/json/report_json.h"

namespace pssp {

void ApplicationRequest::add_options(QuestionLine& line) {
  line.option({{Question::application}, "excludes the report, --path, --pairs and --ptrn"},
              pattern_group, "--time-shares", application_,
              "Estimate the run time at full bandwidth from shares of the time and their patterns "
              "or bandwidths, e.g. 27.4%:neighbor:6,4.6%:tree")
      .mentions();
}

/// Mean bandwidth of a pattern, relative to a crossbar: the effective bandwidth of the Cluster 2008
/// paper (section 5.1: mean of the optimistic bounds).
double ApplicationRequest::bandwidth_of(const EvalInput& input, const RouteStore& routes,
                                        const Common& common, const std::string& pattern,
                                        const Processes& processes) const {
  PatternSpec wanted = ranks_.spec;
  wanted.pattern = pattern;
  const PreparedPattern prepared = ranks_.prepare(input.fabric, wanted);
  SimulationOptions simulation = ranks_.simulation(common);
  simulation.histogram = false;
  const SimulationResult result = simulate_together(routes, prepared, simulation, processes);
  const double crossbar =
      simulation.host_links == HostLinks::counted
          ? crossbar_congestion(*prepared.pattern, prepared.mapping.ranks(), simulation.seed)
                .optimistic
          : 1;
  const std::vector<double> bandwidths = values_of(RunQuantity::optimistic_bandwidth, result.runs);
  if (bandwidths.empty()) {
    throw Error(ErrorKind::usage, fmt::format("--time-shares: pattern '{}' has no flows", pattern));
  }
  double sum = 0;
  for (const double bandwidth : bandwidths) sum += bandwidth;
  return std::min(1.0, crossbar * sum / static_cast<double>(bandwidths.size()));
}

int ApplicationRequest::run(const Common& common, Processes& processes) const {
  std::vector<CommunicationPart> parts;
  const std::vector<EvalInput> inputs = processes.together([&] {
    parts = parse_application(application_);
    return read_inputs(common);
  });
  Digest digest = ranks_.digest();
  digest.add_text(application_);
  require_same_work(processes, inputs, common, Question::application, digest);
  const EvalInput& input = inputs.front();
  if (processes.is_first()) print_warnings(input.warnings);
  const RouteStore routes(input.fabric, input.tables);
  for (CommunicationPart& part : parts) {
    if (part.pattern.empty()) continue;
    part.bandwidth = bandwidth_of(input, routes, common, part.pattern, processes);
  }
  if (!processes.is_first()) return 0;
  write_file(common.output,
             common.json ? to_json_report(parts, input.warnings) : to_text_report(parts));
  return 0;
}

}  // namespace pssp
