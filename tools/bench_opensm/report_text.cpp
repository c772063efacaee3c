#include <fmt/format.h>

#include "base/text_table.h"
#include "tools/bench_opensm/bars.h"
#include "tools/bench_opensm/reports.h"

namespace pssp {
namespace {

constexpr std::size_t longest_reason = 160;

/// Mentions if OpenSM used another engine.
std::string engine_cell(const BenchResult& result) {
  const std::string name = result.engine.substr(0, result.engine.find(':'));
  std::string others;
  for (const std::string& used : result.used)
    if (used != name) others += (others.empty() ? "" : ", ") + used;
  if (result.used == std::vector{name}) return result.engine;
  return result.engine + " (routed by " + others + ")";
}

std::string benchmark_text(const Benchmark& benchmark, const Measurements& measurements,
                           unsigned iterations) {
  const bool with_event = benchmark.events.size() > 1;
  std::vector<TableRow> rows{{"fabric", "hosts", "engine"}};
  if (with_event) rows.front().emplace_back("after");
  for (const BenchColumn& column : benchmark.columns) rows.front().emplace_back(column.name);
  for (const BenchResult& result : results_of(benchmark, measurements.sweeps, "sizes")) {
    rows.push_back({file_name(result.size), std::to_string(result.hosts), engine_cell(result)});
    if (with_event) rows.back().push_back(result.event);
    for (const Milliseconds& column : result.columns)
      rows.back().push_back(fmt::format("{:.2f}", column.mean));
  }
  return fmt::format("{} (ms{})\n{}\n", benchmark.name,
                     iterations == 1 ? "" : fmt::format(", mean of {}", iterations),
                     text_table(rows));
}

std::string shortened(const std::string& reason) {
  return reason.size() > longest_reason ? reason.substr(0, longest_reason - 3) + "..." : reason;
}

}  // namespace

std::string bench_text(const Measurements& measurements, unsigned iterations) {
  std::string text;
  for (const Benchmark& each : all_benchmarks())
    text += benchmark_text(each, measurements, iterations);
  const std::vector<BenchResult> placements =
      results_of(benchmark("Subnet_Total_Time"), measurements.sweeps, "placement");
  if (!placements.empty()) {
    text +=
        "Hosts on a switch (Subnet_Total_Time, ms): eight hosts and twelve switches, cabled in two "
        "ways\n" +
        bars_text(placement_bars(placements), "engine");
  }
  text += "\nHops between hosts (share of the pairs, %)\n" +
          bars_text(hop_bars(measurements.hops), "hops") + "\n";
  for (const Refusal& each : measurements.refusals) {
    text +=
        fmt::format("{} does not route {}: {}\n", each.engine, each.size, shortened(each.reason));
  }
  return text;
}

}  // namespace pssp
