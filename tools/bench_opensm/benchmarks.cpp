// Each phase begins where the previous one ends, so that a benchmark's total is the sum of its
// phases.

#include "tools/bench_opensm/benchmarks.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace pssp {
namespace {

using P = SweepPhase;
using Phases = std::vector<P>;

const Phases discovery{P::binding, P::heavy_sweep};
const Phases lid_configuration{P::partitions, P::sm_lid, P::subnet_lids};
const Phases routing_phases{P::routes, P::tables, P::multicast, P::ports, P::links};

Phases operator+(Phases a, const Phases& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

double span_of(const Sweep& sweep, const Phases& phases) {
  std::int64_t sum = 0;
  for (const P phase : phases) sum += sweep.microseconds[static_cast<std::size_t>(phase)];
  return static_cast<double>(sum) / 1000;
}

Milliseconds over(std::span<const SweepRecord* const> sweeps, const Phases& phases) {
  Milliseconds result;
  double sum = 0;
  for (const SweepRecord* record : sweeps) {
    const double span = span_of(record->sweep, phases);
    sum += span;
    result.least = record == sweeps.front() ? span : std::min(result.least, span);
    result.most = std::max(result.most, span);
  }
  result.mean = sum / static_cast<double>(sweeps.size());
  return result;
}

BenchResult result_of(const Benchmark& benchmark, std::span<const SweepRecord* const> sweeps) {
  const SweepRecord& first = *sweeps.front();
  BenchResult result;
  result.size = first.size;
  result.engine = first.engine;
  result.event = first.event;
  result.hosts = first.hosts;
  result.switches = first.switches;
  result.iterations = static_cast<unsigned>(sweeps.size());
  std::set<std::string> used;
  for (const SweepRecord* record : sweeps) used.insert(record->sweep.engine);
  result.used.assign(used.begin(), used.end());
  for (const BenchColumn& column : benchmark.columns)
    result.columns.push_back(over(sweeps, column.phases));
  return result;
}

}  // namespace

std::size_t place_of(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  const auto place = static_cast<std::size_t>(found - names.begin());
  if (found == names.end()) names.push_back(name);
  return place;
}

const std::vector<Benchmark>& all_benchmarks() {
  static const std::vector<Benchmark> benchmarks{
      {"Subnet_Discovery_Time",
       {"start"},
       {{"binding SM to port", {P::binding}},
        {"heavy sweep", {P::heavy_sweep}},
        {"total", discovery}}},
      {"Subnet_LID-Configuration_Time",
       {"start"},
       {{"partitions and QoS", {P::partitions}},
        {"SM LID", {P::sm_lid}},
        {"subnet LIDs", {P::subnet_lids}},
        {"total", lid_configuration}}},
      {"Subnet_Routing_Time",
       {"start"},
       {{"route calculation", {P::routes}},
        {"switch tables", {P::tables}},
        {"multicast", {P::multicast}},
        {"ports and links", {P::ports, P::links}},
        {"total", routing_phases}}},
      {"Subnet_Total_Time",
       {"start"},
       {{"discovery", discovery},
        {"LID configuration", lid_configuration},
        {"routing", routing_phases},
        {"total", discovery + lid_configuration + routing_phases}}},
      {"Subnet_Reconfigure_Time",
       {"resweep", "failure", "repair"},
       {{"discovery", {P::heavy_sweep}},
        {"LID configuration", lid_configuration},
        {"routing", routing_phases},
        {"total", Phases{P::heavy_sweep} + lid_configuration + routing_phases}}}};
  return benchmarks;
}

const Benchmark& benchmark(std::string_view name) {
  const std::vector<Benchmark>& all = all_benchmarks();
  return *std::find_if(all.begin(), all.end(),
                       [name](const Benchmark& each) { return each.name == name; });
}

std::vector<BenchResult> results_of(const Benchmark& benchmark, std::span<const SweepRecord> sweeps,
                                    std::string_view series) {
  std::vector<std::string> sizes, engines;
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::vector<const SweepRecord*>>
      groups;
  for (const SweepRecord& record : sweeps) {
    if (record.series != series) continue;
    const std::size_t size = place_of(sizes, record.size),
                      engine = place_of(engines, record.engine);
    const auto event = std::find(benchmark.events.begin(), benchmark.events.end(), record.event);
    if (event == benchmark.events.end()) continue;
    groups[{size, engine, static_cast<std::size_t>(event - benchmark.events.begin())}].push_back(
        &record);
  }
  std::vector<BenchResult> results;
  results.reserve(groups.size());
  for (const auto& [place, group] : groups) results.push_back(result_of(benchmark, group));
  return results;
}

}  // namespace pssp
