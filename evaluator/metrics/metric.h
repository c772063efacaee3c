#pragma once

// The metrics by name: what a simulation of a pattern can be reduced to (ORCS report, section 2.5;
// Cluster 2008 paper, section 5.1).

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
  get_cable_cong,  ///< the fabric as a graph, each cable with its share of the load
  bounds,          ///< pessimistic and optimistic bandwidth of a pattern of several rounds
};

/// How a metric is shown. Text, JSON and pictures know these, and no metric by name.
enum class MetricForm : std::uint8_t {
  run_numbers,  ///< statistics and a histogram of a number of each run
  bandwidths,   ///< the same in bins of a width that can be chosen
  congestions,  ///< histogram of the congestion of single flows
  bounds,       ///< the two bandwidths of CrossbarCongestion
  cable_graph,  ///< a graph of its own, in no report
};

/// All that there is to say of a metric: whoever adds one adds one of these.
struct MetricDescription {
  Metric metric;
  std::string_view name;  ///< as in --metric
  std::string_view summary;
  MetricForm form;
  const RunQuantity& quantity;     ///< what is compared, run by run; drawn where it is the form's
  Better better;                   ///< of the quantity
  std::string_view title;          ///< of the section in a text; empty: there is none
  std::string_view number_name;    ///< "sum", of run_numbers
  bool of_observed_ranks = false;  ///< it counts flows among Pattern::observed_ranks() alone
};

std::span<const MetricDescription> metric_registry();

/// Throws Error(usage), with all names, when there is no such metric. The report calls
/// get_cable_cong get_cong_map in one place; both are known.
Metric metric_by_name(std::string_view name);

/// The same of several; what is reported where none is named.
std::vector<Metric> metrics_by_name(std::span<const std::string> names);

const MetricDescription& description_of(Metric metric);

}  // namespace pssp
