#include "evaluator/metrics/metric.h"

#include <fmt/format.h>

#include <array>
#include <string>

#include "base/error.h"

namespace pssp {
namespace {

/// By Metric.
constexpr auto registry = std::to_array<MetricDescription>({
    {Metric::sum_max_cong, "sum_max_cong",
     "largest congestion of each level, summed over the levels", MetricForm::run_numbers,
     RunQuantity::max_congestion_sum, Better::lower,
     "Largest congestion of each level, summed over the levels (sum_max_cong)", "sum"},
    {Metric::hist_max_cong, "hist_max_cong", "histogram of the congestion of all flows of all runs",
     MetricForm::congestions, RunQuantity::bandwidth, Better::higher,
     "Congestion of the flows of all runs (hist_max_cong)", ""},
    {Metric::hist_acc_band, "hist_acc_band", "histogram of the mean bandwidth of each run",
     MetricForm::bandwidths, RunQuantity::bandwidth, Better::higher,
     "Bandwidth of each run (hist_acc_band)", ""},
    {Metric::dep_max_delay, "dep_max_delay", "longest chain of flows that wait for each other",
     MetricForm::run_numbers, RunQuantity::delay, Better::lower,
     "Delay: longest chain of flows that wait for each other (dep_max_delay)", "delay", true},
    {Metric::get_cable_cong, "get_cable_cong",
     "dot graph of the fabric, each cable labeled and colored by congestion",
     MetricForm::cable_graph, RunQuantity::bandwidth, Better::higher, "", ""},
    {Metric::bounds, "bounds",
     "pessimistic and optimistic bandwidth of a pattern of several rounds", MetricForm::bounds,
     RunQuantity::optimistic_bandwidth, Better::higher,
     "Bounds of the pattern (mean over its rounds)", ""},
});

}  // namespace

std::span<const MetricDescription> metric_registry() { return registry; }

Metric metric_by_name(std::string_view name) {
  if (name == "get_cong_map") return Metric::get_cable_cong;
  std::string names;
  for (const MetricDescription& known : registry) {
    if (known.name == name) return known.metric;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", known.name);
  }
  throw Error(ErrorKind::usage,
              fmt::format("unknown metric '{}'; expected one of {}", name, names));
}

std::vector<Metric> metrics_by_name(std::span<const std::string> names) {
  if (names.empty()) return {Metric::hist_max_cong, Metric::hist_acc_band};
  std::vector<Metric> metrics;
  for (const std::string& name : names) metrics.push_back(metric_by_name(name));
  return metrics;
}

const MetricDescription& description_of(Metric metric) {
  return registry[static_cast<std::size_t>(metric)];
}

}  // namespace pssp
