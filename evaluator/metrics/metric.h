#pragma once

// The metrics by name: what a simulation of a pattern can be reduced to (ORCS report, section 2.5;
// Cluster 2008 paper, section 5.1).

#include <cstdint>
#include <span>
#include <string_view>

namespace pssp {

enum class Metric : std::uint8_t {
  sum_max_cong,    ///< largest congestion of each level, summed over the levels
  hist_max_cong,   ///< congestion of every flow of every run
  hist_acc_band,   ///< mean bandwidth of each run
  dep_max_delay,   ///< longest chain of flows that wait for each other
  get_cable_cong,  ///< the fabric as a graph, each cable with its share of the load
  bounds,          ///< pessimistic and optimistic bandwidth of a pattern of several rounds
};

/// What --help and the docs say of a metric.
struct MetricDescription {
  Metric metric;
  std::string_view name;  ///< as in --metric
  std::string_view summary;
};

std::span<const MetricDescription> metric_registry();

/// Throws Error(usage), with all names, when there is no such metric. The report calls
/// get_cable_cong get_cong_map in one place; both are known.
Metric metric_by_name(std::string_view name);

std::string_view metric_name(Metric metric);

}  // namespace pssp
