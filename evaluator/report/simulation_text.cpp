#include "evaluator/report/simulation_text.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <vector>

#include "evaluator/metrics/congestion_histogram.h"
#include "evaluator/metrics/run_quantities.h"
#include "evaluator/metrics/statistics.h"
#include "evaluator/report/structured_report.h"
#include "evaluator/report/text_writer.h"

// First the simulation and its errors, then one section per metric. The lines of a histogram have
// the format of listing 3 of the ORCS report ("weight 2: 44 of the 64 connections"), for parsers of
// ORCS's output.

namespace pssp {
namespace {

/// Histograms with more different values are condensed.
constexpr std::size_t max_lines = 60;

std::uint64_t unrouted_flows(const SimulationResult& result) {
  std::uint64_t sum = 0;
  for (const RunResult& run : result.runs) sum += run.unrouted;
  return sum;
}

std::string flows_a_run(const SimulationResult& result) {
  if (result.runs.empty()) return "no run";
  std::uint64_t least = result.runs.front().flows;
  std::uint64_t most = least;
  for (const RunResult& run : result.runs) {
    least = std::min(least, run.flows);
    most = std::max(most, run.flows);
  }
  if (least == most) return fmt::format("{} flows per run", most);
  return fmt::format("{} to {} flows per run", least, most);
}

void write_simulation(TextWriter& writer, const SimulationReport& report) {
  const SimulationOptions& options = report.options;
  writer.section("Simulation");
  const std::string levels =
      options.level < 0
          ? fmt::format("{} {}", report.levels, report.levels == 1 ? "level" : "levels")
          : fmt::format("only level {} of {}", options.level, report.levels);
  writer.row("pattern",
             fmt::format("{}: {}, {}", report.pattern, levels, flows_a_run(report.result)));
  writer.row("ranks",
             fmt::format("{} on {} hosts: {}", report.ranks, report.hosts, report.hosts_of_ranks));
  writer.row("runs", fmt::format("{}, seed {}", report.result.runs.size(), options.seed));
  writer.row("links of hosts",
             options.host_links == HostLinks::counted ? "count" : "are left out: never congested");
  if (report.lids.lids > 1) writer.row("LIDs", describe_striping(report.lids));
  if (const std::uint64_t unrouted = unrouted_flows(report.result); unrouted != 0) {
    writer.row(
        "WITHOUT A ROUTE",
        fmt::format("{} flows: bandwidth 0, and not part of congestion or delay below", unrouted));
  }
}

void write_statistics(TextWriter& writer, const SampleStatistics& statistics) {
  if (statistics.count == 0) {
    writer.line("undefined: no host sends in this pattern");
    return;
  }
  writer.row("mean", fmt::format("{:.5f}", statistics.mean));
  if (statistics.count > 1) {
    writer.row("standard error", fmt::format("{:.5f}", statistics.standard_error));
    writer.row("95 % interval",
               fmt::format("{:.5f} .. {:.5f}", statistics.lower_95, statistics.upper_95));
  }
  writer.row("single runs", fmt::format("{:.5f} .. {:.5f}", statistics.min, statistics.max));
  writer.row("variance", fmt::format("{:.6f}", statistics.variance));
  std::string percentiles;
  for (std::size_t i = 0; i < percentile_levels.size(); ++i) {
    percentiles += fmt::format("{}{} %: {:.5g}", i == 0 ? "" : ", ", percentile_levels[i],
                               statistics.percentiles[i]);
  }
  writer.row("percentiles", percentiles);
}

std::string range_of(const HistogramBin& bin) {
  if (bin.from == bin.to) return fmt::format("{:g}", bin.from);
  return fmt::format("{:g} to {:g}", bin.from, bin.to);
}

double per_cent(std::uint64_t part, std::uint64_t all) {
  return 100 * static_cast<double>(part) / static_cast<double>(all);
}

/// "sum 24: 3 of the 100 runs (3.00%)".
void write_run_histogram(TextWriter& writer, std::string_view what,
                         const std::vector<double>& values) {
  for (const HistogramBin& bin : condensed(count_values(values), max_lines)) {
    writer.line(fmt::format("{} {}: {} of the {} runs ({:.2f}%)", what, range_of(bin), bin.count,
                            values.size(), per_cent(bin.count, values.size())));
  }
}

void write_run_numbers(TextWriter& writer, const SimulationReport& report,
                       const MetricDescription& metric) {
  if (metric.of_observed_ranks && report.observed < report.ranks) {
    writer.line(fmt::format("of the flows among the first {} ranks", report.observed));
  }
  const std::vector<double> values = values_of(metric.quantity, report.result.runs);
  write_statistics(writer, describe_sample(values));
  write_run_histogram(writer, metric.number_name, values);
}

void write_congestions(TextWriter& writer, const SimulationReport& report) {
  const FlowBandwidth total = flow_bandwidth(report.result.histogram);
  if (total.flows == 0) {
    writer.line("undefined: no host sends in this pattern");
    return;
  }
  for (const HistogramBin& bin : condensed(report.result.histogram, max_lines)) {
    const std::string weight = std::isinf(bin.from) ? "no route" : "weight " + range_of(bin);
    writer.line(fmt::format("{}: {} of the {} connections ({:.2f}%)", weight, bin.count,
                            total.flows, per_cent(bin.count, total.flows)));
  }
  writer.line(fmt::format("BW: {:.6f}", total.bandwidth));
}

void write_bandwidths(TextWriter& writer, const SimulationReport& report) {
  const std::vector<double> bandwidths = values_of(RunQuantity::bandwidth, report.result.runs);
  write_statistics(writer, describe_sample(bandwidths));
  if (bandwidths.empty()) return;
  writer.row("width of a bin", fmt::format("{:g}", report.bin_width));
  const std::vector<HistogramBin> histogram = bandwidth_histogram(bandwidths, report.bin_width);
  const bool with_empty_bins = histogram.size() <= max_lines;
  for (const HistogramBin& bin : histogram) {
    if (bin.count == 0 && !with_empty_bins) continue;
    writer.line(fmt::format("{:12.8f} {:12.8f} {:5}", bin.from, bin.to, bin.count));
  }
}

void write_bound(TextWriter& writer, const SimulationReport& report, std::string_view name,
                 const RunQuantity& congestion, const RunQuantity& bandwidth, double crossbar) {
  const SampleStatistics pi = describe_sample(values_of(congestion, report.result.runs));
  const SampleStatistics b = describe_sample(values_of(bandwidth, report.result.runs));
  if (b.count == 0) {
    writer.row(name, "undefined: no host sends in this pattern");
    return;
  }
  std::string line = fmt::format("bandwidth {:.5f}", b.mean);
  if (b.count > 1) line += fmt::format(" +- {:.5f}", b.standard_error);
  line += fmt::format(", runs {:.5f} .. {:.5f}; congestion {:.4f}", b.min, b.max, pi.mean);
  writer.row(name, line);
  if (report.crossbar && crossbar != 1) {
    writer.row("",
               fmt::format("bandwidth {:.5f} of that on a crossbar, where the congestion is {:g}",
                           b.mean * crossbar, crossbar));
  }
}

void write_bounds(TextWriter& writer, const SimulationReport& report) {
  const CrossbarCongestion crossbar = report.crossbar.value_or(CrossbarCongestion{});
  write_bound(writer, report, "optimistic", RunQuantity::optimistic_congestion,
              RunQuantity::optimistic_bandwidth, crossbar.optimistic);
  write_bound(writer, report, "pessimistic", RunQuantity::pessimistic_congestion,
              RunQuantity::pessimistic_bandwidth, crossbar.pessimistic);
}

void write_metric(TextWriter& writer, const SimulationReport& report,
                  const MetricDescription& metric) {
  if (!metric.title.empty()) writer.section(metric.title);
  switch (metric.form) {
    case MetricForm::run_numbers:
      return write_run_numbers(writer, report, metric);
    case MetricForm::congestions:
      return write_congestions(writer, report);
    case MetricForm::bandwidths:
      return write_bandwidths(writer, report);
    case MetricForm::bounds:
      return write_bounds(writer, report);
    case MetricForm::cable_graph:
      return;
  }
}

}  // namespace

std::string to_text_report(const SimulationReport& report) {
  TextWriter writer;
  write_simulation(writer, report);
  for (const Metric metric : report.metrics) write_metric(writer, report, description_of(metric));
  return writer.take();
}

std::string to_text_report(std::span<const CommunicationPart> parts) {
  TextWriter writer;
  writer.section("Application");
  for (const CommunicationPart& part : parts) {
    writer.line(fmt::format("{:6.2f} % of its time communicates at bandwidth {:.5f}{}{}",
                            100 * part.share, part.bandwidth, part.pattern.empty() ? "" : ": ",
                            part.pattern));
  }
  writer.row("with full bandwidth",
             fmt::format("{:.2f} % of its time", 100 * time_at_full_bandwidth(parts)));
  return writer.take();
}

}  // namespace pssp
