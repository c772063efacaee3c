#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "evaluator/report/spreadsheet_field.h"
#include "simulator/traffic/glob.h"
#include "tools/simulate_fabric/outputs.h"
#include "tools/simulate_fabric/series_ports.h"

namespace pssp {
namespace {

constexpr double seconds_per_ps = 1e-12;

struct SeriesLine {
  std::string begin;                        ///< run, seed
  std::string end;                          ///< kind, name
  const std::vector<std::uint64_t>* bytes;  ///< by sample; null: for a port
  const std::vector<PortInterval>* port;
  const Traffic* traffic;
  SimulatedTime simulated;

  std::size_t samples() const { return port != nullptr ? port->size() : bytes->size(); }
};

void add_port_lines(const SimulateReport& report, const Variant& variant, std::size_t seed,
                    const SimulatedRun& run, const std::string& begin,
                    std::vector<SeriesLine>& lines) {
  const Simulation& simulation = report.simulation;
  const std::vector<SeriesPort> ports =
      series_ports(report.options, simulation.tables_of(variant).fabric, simulation.model);
  for (std::size_t i = 0; i < ports.size(); ++i) {
    lines.push_back({begin, fmt::format("{},{}", ports[i].kind, spreadsheet_field(ports[i].name)),
                     nullptr, &run.outcome.port_samples[i], &simulation.traffic[seed].traffic,
                     run.outcome.simulated});
  }
}

std::vector<SeriesLine> series_lines(const SimulateReport& report) {
  const Simulation& simulation = report.simulation;
  std::vector<SeriesLine> lines;
  for (std::size_t v = 0; v < simulation.variants.size(); ++v) {
    for (std::size_t s = 0; s < simulation.seeds.size(); ++s) {
      const SimulatedRun& run = simulation.runs[v][s];
      if (!run.began) continue;
      const Traffic& traffic = simulation.traffic[s].traffic;
      const std::string begin =
          fmt::format("{},{}", spreadsheet_field(simulation.variants[v].name), simulation.seeds[s]);
      const SimulatedTime end = run.outcome.simulated;
      if (is_in_series(report.options, "network")) {
        lines.push_back(
            {begin, "network,all", &run.outcome.bytes_by_sample, nullptr, &traffic, end});
      }
      for (std::size_t f = 0; is_in_series(report.options, "flows") && f < traffic.flows.size();
           ++f) {
        const std::string& name = run.summary.flows[f].name;
        if (!fits_glob(name, report.options.select)) continue;
        lines.push_back({begin, "flow," + spreadsheet_field(name),
                         &run.outcome.flow_bytes_by_sample[f], nullptr, &traffic, end});
      }
      add_port_lines(report, simulation.variants[v], s, run, begin, lines);
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
                "--series would be larger than 10 GiB; use a longer --sample, --select or "
                "--series-of network");
  }
  return [lines, has_ports = has_ports_in_series(report.options)](const ContentSink& sink) {
    sink(has_ports ? "run,seed,time_s,kind,name,bytes,marks,queue_bytes\n"
                   : "run,seed,time_s,kind,name,bytes\n");
    std::string text;
    for (const SeriesLine& line : lines) {
      text.clear();
      for (std::size_t i = 0; i < line.samples(); ++i) {
        const SimulatedTime start = static_cast<SimulatedTime>(i) * line.traffic->sample;
        if (start >= line.simulated) break;
        text += fmt::format("{},{:.9g},{},", line.begin,
                            static_cast<double>(start) * seconds_per_ps, line.end);
        if (line.port != nullptr) {
          const PortInterval& sample = (*line.port)[i];
          text += fmt::format("{},{},{}\n", sample.bytes, sample.marks, sample.queue_bytes);
        } else {
          text += fmt::format("{}{}\n", (*line.bytes)[i], has_ports ? ",," : "");
        }
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
          fmt::format("{},{}", spreadsheet_field(simulation.variants[v].name), simulation.seeds[s]);
      text += fmt::format("{},network,all,{:.10g},{:.6g},,{},{},{:.6g},{:.6g}\n", begin,
                          run.summary.throughput.mean, run.summary.of_links, run.outcome.marks,
                          run.outcome.becns, run.summary.latency.mean, run.summary.latency.p99);
      for (const FlowSummary& flow : run.summary.flows) {
        text += fmt::format("{},flow,{},{},{},{},,,,\n", begin, spreadsheet_field(flow.name),
                            flow.measured ? fmt::format("{:.10g}", flow.rate) : "",
                            flow.measured ? fmt::format("{:.6g}", flow.share) : "",
                            flow.fair_share ? fmt::format("{:.6g}", *flow.fair_share) : "");
      }
    }
  }
  return text;
}

}  // namespace pssp
