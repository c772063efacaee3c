#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "tools/bench_opensm/benchmarks.h"
#include "tools/bench_opensm/reports.h"

namespace pssp {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, sweep_phases> phase_names{
    "binding", "heavy_sweep", "partitions", "sm_lid", "subnet_lids",
    "routes",  "tables",      "multicast",  "ports",  "links"};

Json to_json(const BenchResult& result, const Benchmark& benchmark) {
  Json columns = Json::object();
  for (std::size_t i = 0; i < benchmark.columns.size(); ++i) {
    columns[std::string(benchmark.columns[i].name)] = {{"mean", result.columns[i].mean},
                                                       {"min", result.columns[i].least},
                                                       {"max", result.columns[i].most}};
  }
  return {{"size", result.size},
          {"hosts", result.hosts},
          {"switches", result.switches},
          {"engine", result.engine},
          {"event", result.event},
          {"used", result.used},
          {"iterations", result.iterations},
          {"ms", columns}};
}

Json results_json(const Benchmark& benchmark, const Measurements& measurements,
                  std::string_view series) {
  Json results = Json::array();
  for (const BenchResult& each : results_of(benchmark, measurements.sweeps, series))
    results.push_back(to_json(each, benchmark));
  return results;
}

Json to_json(const SweepRecord& record) {
  Json json{{"series", record.series}, {"size", record.size},
            {"hosts", record.hosts},   {"switches", record.switches},
            {"engine", record.engine}, {"iteration", record.iteration},
            {"event", record.event},   {"used", record.sweep.engine}};
  for (std::size_t phase = 0; phase < sweep_phases; ++phase)
    json[phase_names[phase]] = record.sweep.microseconds[phase];
  return json;
}

}  // namespace

std::string bench_json(const Measurements& measurements) {
  Json benchmarks = Json::array(), hops = Json::array(), refusals = Json::array(),
       sweeps = Json::array();
  for (const Benchmark& each : all_benchmarks()) {
    benchmarks.push_back(
        {{"name", std::string(each.name)}, {"results", results_json(each, measurements, "sizes")}});
  }
  for (const HopRecord& each : measurements.hops) {
    hops.push_back(
        {{"size", each.size}, {"engine", each.engine}, {"hops", each.hops}, {"pairs", each.pairs}});
  }
  for (const Refusal& each : measurements.refusals)
    refusals.push_back({{"size", each.size}, {"engine", each.engine}, {"reason", each.reason}});
  for (const SweepRecord& each : measurements.sweeps) sweeps.push_back(to_json(each));
  return dump_json({{"unit", "milliseconds"},
                    {"benchmarks", benchmarks},
                    {"hosts_per_switch",
                     results_json(benchmark("Subnet_Total_Time"), measurements, "placement")},
                    {"hops", hops},
                    {"refusals", refusals},
                    {"sweeps", sweeps}});
}

}  // namespace pssp
