#pragma once

// The simulation of a pattern, on one or several sets of tables.

#include <string>
#include <vector>

#include "evaluator/metrics/histogram.h"
#include "evaluator/metrics/metric.h"
#include "evaluator/parallel/processes.h"
#include "evaluator/scoring/simulation_report.h"
#include "tools/eval_lft/common.h"
#include "tools/eval_lft/inputs.h"
#include "tools/eval_lft/ranks_options.h"
#include "tools/eval_lft/scoring_options.h"

namespace pssp {

class PatternRequest {
 public:
  void add_options(QuestionLine& line);
  /// `scoring`: for the tables in a comparison.
  void take(const RanksOptions& ranks, const ScoringOptions& scoring);
  int run(const Common& common, Processes& processes) const;

 private:
  bool wants(Metric metric) const;
  void require_target_for_graph(const Common& common) const;
  SimulationOptions simulation(const Common& common) const;
  Digest digest(const Common& common, const std::vector<PreparedPattern>& prepared) const;
  SimulationReport report_on(const EvalInput& input, const Common& common,
                             const PreparedPattern& prepared, const Processes& processes) const;
  void write_one(const EvalInput& input, const SimulationReport& report,
                 const Common& common) const;
  void write_comparison(const std::vector<EvalInput>& inputs,
                        const std::vector<SimulationReport>& reports, const Common& common) const;
  void draw_runs(const std::vector<EvalInput>& inputs, const std::vector<SimulationReport>& reports,
                 const Common& common) const;

  RanksOptions ranks_;
  ScoringOptions scoring_;
  std::vector<std::string> metric_names_;
  std::vector<Metric> metrics_;
  double bin_width_ = orcs_bin_width;
  std::string cable_graph_;  // file; empty: none
};

}  // namespace pssp
