
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/version.h"
#include "evaluator/metrics/congestion_histogram.h"
#include "evaluator/metrics/run_quantities.h"
#include "evaluator/metrics/statistics.h"
#include "tools/eval_lft/json/report_json.h"

// One member per metric, with the metric's name. The library writes NaN and infinity as null.

namespace pssp {
namespace {

using Json = nlohmann::ordered_json;

/// Histograms with more different values are condensed; a million runs can have a million sums if
/// link rates differ.
constexpr std::size_t max_bins = 1000;

Json statistics_of(const SampleStatistics& statistics) {
  Json json;
  json["mean"] = statistics.mean;
  json["stderr"] = statistics.standard_error;
  json["interval_95"] = {statistics.lower_95, statistics.upper_95};
  json["min"] = statistics.min;
  json["max"] = statistics.max;
  json["variance"] = statistics.variance;
  for (std::size_t i = 0; i < percentile_levels.size(); ++i) {
    json["percentiles"][std::to_string(percentile_levels[i])] = statistics.percentiles[i];
  }
  return json;
}

Json histogram_of(const std::vector<HistogramBin>& bins, const char* counted) {
  Json json = Json::array();
  for (const HistogramBin& bin : bins) {
    json.push_back({{"from", bin.from}, {"to", bin.to}, {counted, bin.count}});
  }
  return json;
}

Json whole_runs(const RunQuantity& quantity, const SimulationReport& report) {
  const std::vector<double> values = values_of(quantity, report.result.runs);
  Json json = statistics_of(describe_sample(values));
  json["histogram"] = histogram_of(condensed(count_values(values), max_bins), "runs");
  return json;
}

Json congestions_of(const SimulationReport& report) {
  const FlowBandwidth total = flow_bandwidth(report.result.histogram);
  Json json;
  json["connections"] = total.flows;
  json["unrouted"] = total.unrouted;
  json["bandwidth"] = total.bandwidth;
  json["histogram"] = histogram_of(condensed(report.result.histogram, max_bins), "connections");
  return json;
}

Json bandwidths_of(const SimulationReport& report) {
  const std::vector<double> values = values_of(RunQuantity::bandwidth, report.result.runs);
  Json json = statistics_of(describe_sample(values));
  json["bin_width"] = report.bin_width;
  json["histogram"] = histogram_of(bandwidth_histogram(values, report.bin_width), "runs");
  return json;
}

Json bound_of(const SimulationReport& report, const RunQuantity& congestion,
              const RunQuantity& bandwidth, std::optional<double> crossbar) {
  Json json;
  json["congestion"] = statistics_of(describe_sample(values_of(congestion, report.result.runs)));
  const SampleStatistics b = describe_sample(values_of(bandwidth, report.result.runs));
  json["bandwidth"] = statistics_of(b);
  if (crossbar) {
    json["crossbar_congestion"] = *crossbar;
    json["bandwidth_of_crossbar"] = b.mean * *crossbar;
  }
  return json;
}

Json bounds_of(const SimulationReport& report) {
  std::optional<double> optimistic;
  std::optional<double> pessimistic;
  if (report.crossbar) {
    optimistic = report.crossbar->optimistic;
    pessimistic = report.crossbar->pessimistic;
  }
  Json json;
  json["optimistic"] = bound_of(report, RunQuantity::optimistic_congestion,
                                RunQuantity::optimistic_bandwidth, optimistic);
  json["pessimistic"] = bound_of(report, RunQuantity::pessimistic_congestion,
                                 RunQuantity::pessimistic_bandwidth, pessimistic);
  return json;
}

void add_simulation(Json& json, const SimulationReport& report) {
  const SimulationOptions& options = report.options;
  std::uint64_t flows = 0;
  std::uint64_t unrouted = 0;
  for (const RunResult& run : report.result.runs) {
    flows += run.flows;
    unrouted += run.unrouted;
  }
  json["pattern"] = report.pattern;
  json["levels"] = report.levels;
  json["level"] = options.level < 0 ? Json() : Json(options.level);
  json["ranks"] = report.ranks;
  json["observed_ranks"] = report.observed;
  json["hosts"] = report.hosts;
  json["hosts_of_ranks"] = report.hosts_of_ranks;
  json["host_links"] = options.host_links == HostLinks::counted;
  if (report.lids.lids > 1) {
    json["lids_scored"] = report.lids.lids;
    json["striping"] = word_for(report.lids.striping);
  }
  json["runs"] = report.result.runs.size();
  json["seed"] = options.seed;
  json["flows"] = flows;
  json["unrouted"] = unrouted;
}

void add_metric(Json& json, const SimulationReport& report, const MetricDescription& metric) {
  const auto add = [&](const Json& value) { json[std::string(metric.name)] = value; };
  switch (metric.form) {
    case MetricForm::run_numbers:
      return add(whole_runs(metric.quantity, report));
    case MetricForm::congestions:
      return add(congestions_of(report));
    case MetricForm::bandwidths:
      return add(bandwidths_of(report));
    case MetricForm::bounds:
      return add(bounds_of(report));
    case MetricForm::cable_graph:
      return;
  }
}

std::string finished(Json& json, const std::vector<std::string>& warnings) {
  json["warnings"] = warnings;
  json["version"] = version();
  return dump_json(json);
}

}  // namespace

std::string to_json_report(const SimulationReport& report,
                           const std::vector<std::string>& warnings) {
  Json json;
  add_simulation(json, report);
  for (const Metric metric : report.metrics) add_metric(json, report, description_of(metric));
  return finished(json, warnings);
}

std::string to_json_report(std::span<const CommunicationPart> parts,
                           const std::vector<std::string>& warnings) {
  Json json;
  json["communication"] = Json::array();
  for (const CommunicationPart& part : parts) {
    json["communication"].push_back(
        {{"share", part.share},
         {"bandwidth", part.bandwidth},
         {"pattern", part.pattern.empty() ? Json() : Json(part.pattern)}});
  }
  json["time_at_full_bandwidth"] = time_at_full_bandwidth(parts);
  return finished(json, warnings);
}

}  // namespace pssp
