#include "evaluator/metrics/metric.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "base/error.h"

namespace pssp {
namespace {

constexpr std::array registry{
    MetricDescription{Metric::sum_max_cong, "sum_max_cong",
                      "largest congestion of each level, summed over the levels"},
    MetricDescription{Metric::hist_max_cong, "hist_max_cong",
                      "histogram of the congestion of all flows of all runs"},
    MetricDescription{Metric::hist_acc_band, "hist_acc_band",
                      "histogram of the mean bandwidth of each run"},
    MetricDescription{Metric::dep_max_delay, "dep_max_delay",
                      "longest chain of flows that wait for each other"},
    MetricDescription{Metric::get_cable_cong, "get_cable_cong",
                      "the fabric as a dot graph, each cable with its congestion and a colour"},
    MetricDescription{Metric::bounds, "bounds",
                      "pessimistic and optimistic bandwidth of a pattern of several rounds"},
};

}  // namespace

std::span<const MetricDescription> metric_registry() { return registry; }

Metric metric_by_name(std::string_view name) {
  if (name == "get_cong_map") return Metric::get_cable_cong;
  std::string names;
  for (const MetricDescription& known : registry) {
    if (known.name == name) return known.metric;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", known.name);
  }
  throw Error(ErrorKind::usage, fmt::format("there is no metric '{}'; there are {}", name, names));
}

std::string_view metric_name(Metric metric) {
  const auto* const found =
      std::find_if(registry.begin(), registry.end(),
                   [metric](const MetricDescription& known) { return known.metric == metric; });
  return found->name;
}

}  // namespace pssp
