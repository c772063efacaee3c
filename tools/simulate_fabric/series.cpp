#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "evaluator/report/csv_field.h"
#include "simulator/traffic/glob.h"
#include "tools/simulate_fabric/outputs.h"

namespace pssp {
namespace {

constexpr double seconds_per_ps = 1e-12;

bool wants(const SimulateOptions& options, std::string_view what) {
  if (options.series_of.empty()) return true;
  return std::ranges::find(options.series_of, what) != options.series_of.end();
}

struct SeriesLine {
  std::string begin;  ///< run, seed
  std::string end;    ///< kind, name
  const std::vector<std::uint64_t>* bytes;
  const Traffic* traffic;
  SimulatedTime simulated;
};

std::vector<SeriesLine> series_lines(const SimulateReport& report) {
  const Simulation& simulation = report.simulation;
  std::vector<SeriesLine> lines;
  for (std::size_t v = 0; v < simulation.variants.size(); ++v) {
    for (std::size_t s = 0; s < simulation.seeds.size(); ++s) {
      const SimulatedRun& run = simulation.runs[v][s];
      if (!run.began) continue;
      const Traffic& traffic = simulation.traffic[s].traffic;
      const std::string begin =
          fmt::format("{},{}", csv_field(simulation.variants[v].name), simulation.seeds[s]);
      const SimulatedTime end = run.outcome.simulated;
      if (wants(report.options, "network")) {
        lines.push_back({begin, "network,all", &run.outcome.bytes_by_sample, &traffic, end});
      }
      for (std::size_t f = 0; wants(report.options, "flows") && f < traffic.flows.size(); ++f) {
        const std::string& name = run.summary.flows[f].name;
        if (!fits_glob(name, report.options.select)) continue;
        lines.push_back({begin, "flow," + csv_field(name), &run.outcome.flow_bytes_by_sample[f],
                         &traffic, end});
      }
    }
  }
  return lines;
}

}  // namespace

ContentSource series_csv(const SimulateReport& report) {
  constexpr double largest = 10.0 * 0x1p30;
  const std::vector<SeriesLine> lines = series_lines(report);
  double size = 0;
  for (const SeriesLine& line : lines) {
    const double samples =
        static_cast<double>(line.simulated) / static_cast<double>(line.traffic->sample);
    constexpr double of_numbers = 25;
    size += samples * (of_numbers + static_cast<double>(line.begin.size() + line.end.size()));
  }
  if (size > largest) {
    throw Error(ErrorKind::usage,
                "--series would be larger than 10 GiB; expected longer --sample, "
                "--select, or --series-of network");
  }
  return [lines](const ContentSink& sink) {
    sink("run,seed,time_s,kind,name,bytes\n");
    std::string text;
    for (const SeriesLine& line : lines) {
      text.clear();
      for (std::size_t i = 0; i < line.bytes->size(); ++i) {
        const SimulatedTime start = static_cast<SimulatedTime>(i) * line.traffic->sample;
        if (start >= line.simulated) break;
        text +=
            fmt::format("{},{:.9g},{},{}\n", line.begin,
                        static_cast<double>(start) * seconds_per_ps, line.end, (*line.bytes)[i]);
      }
      sink(text);
    }
  };
}

std::string runs_csv(const SimulateReport& report) {
  const Simulation& simulation = report.simulation;
  std::string text =
      "run,seed,kind,name,bytes_per_s,share,fair_share,marks,becns,latency_mean_ns,latency_p99_"
      "ns\n";
  for (std::size_t v = 0; v < simulation.variants.size(); ++v) {
    for (std::size_t s = 0; s < simulation.seeds.size(); ++s) {
      const SimulatedRun& run = simulation.runs[v][s];
      if (!run.began) continue;
      const std::string begin =
          fmt::format("{},{}", csv_field(simulation.variants[v].name), simulation.seeds[s]);
      text += fmt::format("{},network,all,{:.10g},{:.6g},,{},{},{:.6g},{:.6g}\n", begin,
                          run.summary.throughput.mean, run.summary.of_links, run.outcome.marks,
                          run.outcome.becns, run.summary.latency.mean, run.summary.latency.p99);
      for (const FlowSummary& flow : run.summary.flows) {
        text += fmt::format("{},flow,{},{},{},{},,,,\n", begin, csv_field(flow.name),
                            flow.measured ? fmt::format("{:.10g}", flow.rate) : "",
                            flow.measured ? fmt::format("{:.6g}", flow.share) : "",
                            flow.fair_share ? fmt::format("{:.6g}", *flow.fair_share) : "");
      }
    }
  }
  return text;
}

}  // namespace pssp
