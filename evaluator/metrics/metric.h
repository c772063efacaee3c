#pragma once

// The metrics of simulated patterns by name (ORCS report, section 2.5; Cluster 2008 paper, section
// 5.1).

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evaluator/metrics/paired_comparison.h"
#include "evaluator/metrics/run_quantities.h"

namespace pssp {

enum class Metric : std::uint8_t {
  sum_max_cong,    ///< largest congestion of each level, summed over the levels
  hist_max_cong,   ///< congestion of every flow of every run
  hist_acc_band,   ///< mean bandwidth of each run
  dep_max_delay,   ///< longest chain of flows that wait for each other
  get_cable_cong,  ///< the fabric as a graph with the load of each cable
  bounds,          ///< pessimistic and optimistic bandwidth of a pattern of several rounds
};

/// How a metric is displayed. Text, JSON and pictures depend only on the form.
enum class MetricForm : std::uint8_t {
  run_numbers,  ///< statistics and a histogram of one number per run
  bandwidths,   ///< the same with bins of a selectable width
  congestions,  ///< histogram of the congestion of single flows
  bounds,       ///< the two bandwidths of CrossbarCongestion
  cable_graph,  ///< a separate graph, not in reports
};

/// The description of a metric; each new metric needs one.
struct MetricDescription {
  Metric metric;
  std::string_view name;  ///< as in --metric
  std::string_view summary;
  MetricForm form;
  const RunQuantity& quantity;     ///< compared run by run; plotted if the form has a plot
  Better better;                   ///< of the quantity
  std::string_view title;          ///< of its section in text reports; empty: none
  std::string_view number_name;    ///< "sum", of run_numbers
  bool of_observed_ranks = false;  ///< counts only flows among Pattern::observed_ranks()
};

std::span<const MetricDescription> metric_registry();

/// Throws Error(usage), listing all names, for an unknown name. Also accepts get_cong_map, the
/// report's other name of get_cable_cong.
Metric metric_by_name(std::string_view name);

/// The same for several names; without names, the default metrics.
std::vector<Metric> metrics_by_name(std::span<const std::string> names);

const MetricDescription& description_of(Metric metric);

}  // namespace pssp
