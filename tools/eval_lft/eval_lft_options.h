#pragma once

// The command line of eval_lft (docs/eval_lft.md).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evaluator/flows/link_loads.h"
#include "evaluator/hosts/host_order.h"
#include "evaluator/metrics/histogram.h"
#include "evaluator/metrics/metric.h"
#include "evaluator/patterns/registry.h"
#include "evaluator/scoring/evaluation.h"
#include "fabric/builder.h"

namespace pssp {

/// Of the simulation of a pattern, as ORCS would be asked for it.
struct PatternOptions {
  PatternRequest request;  ///< ranks = 0: one for each host
  std::vector<Metric> metrics;
  std::uint64_t runs = 1000;
  int level = -1;  ///< -1: all
  HostSelection selection = HostSelection::random;
  std::optional<HostSelection> selection_of_first;
  bool shuffle = true;
  std::string node_ordering;  ///< file; empty: none
  HostLinks host_links = HostLinks::counted;
  double bin_width = orcs_bin_width;
};

struct EvalOptions {
  /// What the program is asked to do.
  enum class Task : std::uint8_t {
    score,        ///< the report on the tables
    compare,      ///< several tables of one fabric, side by side
    simulate,     ///< a pattern
    print,        ///< the pattern itself, as the first run has it
    application,  ///< estimate of an application's time
    paths,        ///< of single pairs
  };
  Task task = Task::score;

  std::vector<std::string> files;     ///< tables and topology, or one file that has both
  std::vector<std::string> compared;  ///< further tables of the same fabric
  BuilderOptions builder;
  std::size_t threads = 0;  ///< 0: all cores

  EvaluationOptions evaluation;
  bool require_acyclic = false;
  std::string service_levels;  ///< file; empty: none
  PatternOptions pattern;
  std::string application;
  std::vector<std::string> path;  ///< source and destination
  std::string pairs;              ///< file of pairs

  std::string output = "-";
  bool json = false;
  std::string csv, host_csv, plot, map, cable_graph;  ///< files; empty: not asked for
};

/// Nothing when --help, --version or --list was answered. Throws Error(usage).
std::optional<EvalOptions> parse_eval_options(int argc, char** argv);

}  // namespace pssp
