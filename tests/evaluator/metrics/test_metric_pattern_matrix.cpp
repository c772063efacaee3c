// Compares every metric of every registered pattern on several fabrics with a naive implementation
// of its definition.

#include <tbb/global_control.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/error.h"
#include "evaluator/metrics/cable_congestion.h"
#include "evaluator/metrics/congestion_histogram.h"
#include "evaluator/metrics/run_quantities.h"
#include "evaluator/patterns/registry.h"
#include "tests/evaluator/naive_simulation.h"
#include "tests/evaluator/sample_fabrics.h"
#include "tests/temporary_file.h"
#include "topologies/registry.h"

namespace {

using namespace pssp;
using namespace pssp::test;

/// Passes all calls to another pattern and records its flows by run and phase.
class RecordingPattern final : public Pattern {
 public:
  explicit RecordingPattern(const Pattern& pattern) : pattern_(pattern) {}

  std::uint32_t level_count() const override { return pattern_.level_count(); }
  std::uint32_t observed_ranks() const override { return pattern_.observed_ranks(); }
  void write_level(std::uint32_t level, RandomGenerator random, FlowWriter& flows) const override {
    pattern_.write_level(level, random, flows);
    // Runs follow one another because the test uses one thread.
    if (level == 0) recorded_.emplace_back();
    recorded_.back().emplace_back(flows.block().begin(), flows.block().end());
  }
  const std::vector<std::vector<std::vector<Flow>>>& recorded() const { return recorded_; }

 private:
  const Pattern& pattern_;
  mutable std::vector<std::vector<std::vector<Flow>>> recorded_;
};

struct NamedFabric {
  std::string name;
  RoutedFabric routed;
};

std::vector<NamedFabric> fabrics() {
  std::vector<NamedFabric> all;
  for (const char* spec : {"k-ary-n-tree 3 2", "mesh 3x2 --hosts 2 --lmc 1"}) {
    all.push_back({spec, route_along_shortest_paths(make_fabric(spec))});
  }
  // Random fabrics with links of different rates. The noise tables have loops, dead ends and
  // missing entries.
  for (const std::uint64_t seed : {11U, 12U}) {
    const std::string number = std::to_string(seed);
    all.push_back(
        {"random " + number, random_fabric(seed, RandomTables::shortest_paths, seed % 2 == 0)});
    all.push_back({"noise " + number, random_fabric(seed, RandomTables::noise, false)});
  }
  return all;
}

/// The name of a pattern with an argument if the pattern requires one.
std::string with_argument(std::string_view name, const std::string& pattern_file) {
  const std::map<std::string_view, std::string> arguments{
      {"stencil", "2x2"},     {"moe", "3"},
      {"neighbor", "3"},      {"shift", "2"},
      {"file", pattern_file}, {"recvs_all_src", "2,.6"},
      {"recvs_one_src", "2"}, {"ptrnvsptrn", "tree::rand"}};
  const auto found = arguments.find(name);
  return std::string(name) + (found == arguments.end() ? "" : ":" + found->second);
}

std::unique_ptr<Pattern> try_to_make(const PatternSpec& request) {
  try {
    return make_pattern(request);
  } catch (const Error& error) {
    REQUIRE(error.kind() == ErrorKind::usage);  // undefined for this number of ranks
    return nullptr;
  }
}

void check_run(const RunResult& run, const NaiveMetrics& expected) {
  CHECK(run.flows == expected.flows);
  CHECK(run.unrouted == expected.unrouted);
  CHECK(run.levels == expected.levels);
  CHECK(RunQuantity::max_congestion_sum.of(run) == Approx(expected.sum_max_cong));
  CHECK(RunQuantity::delay.of(run) == Approx(expected.delay));
  if (expected.flows == 0) {
    CHECK(std::isnan(RunQuantity::bandwidth.of(run)));
    CHECK(std::isnan(RunQuantity::optimistic_bandwidth.of(run)));
    return;
  }
  CHECK(RunQuantity::bandwidth.of(run) == Approx(expected.bandwidth));
  const double pi_max = expected.sum_max_cong / expected.levels;
  const double pi_avg = expected.sum_mean_cong / expected.levels;
  CHECK(RunQuantity::pessimistic_congestion.of(run) == Approx(pi_max));
  CHECK(RunQuantity::optimistic_congestion.of(run) == Approx(pi_avg));
  if (expected.unrouted == expected.flows) {
    CHECK(RunQuantity::optimistic_bandwidth.of(run) == 0);
  } else {
    CHECK(RunQuantity::pessimistic_bandwidth.of(run) == Approx(1 / pi_max));
    CHECK(RunQuantity::optimistic_bandwidth.of(run) == Approx(1 / pi_avg));
  }
}

void check_cables(const Fabric& fabric, const CableLoads& loads, HostLinks host_links,
                  const std::map<std::string, std::uint64_t>& links) {
  const auto expected_sum = [&](const std::string& name, double cost) {
    const auto found = links.find(name);
    if (found == links.end()) return 0.0;
    if (host_links == HostLinks::left_out && name[0] != 'c') return 0.0;
    return static_cast<double>(found->second) * cost;
  };
  std::map<std::string, double> expected;
  double most = 0;
  const auto expect = [&](const std::string& name, double cost) {
    expected[name] = expected_sum(name, cost);
    most = std::max(most, expected[name]);
  };
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    expect(naive_channel(c), fabric.channel_cost()[c]);
  }
  for (std::uint32_t i = 0; i < fabric.endpoints().size(); ++i) {
    const double cost = fabric.end_port_cost(fabric.endpoints()[i]);
    expect(naive_sent(i), cost);
    expect(naive_received(i), cost);
  }
  const ScaledCongestion scaled = scaled_congestion(fabric, loads, host_links);
  const auto check = [&](const std::string& name, double found) {
    CHECK(found == Approx(most == 0 ? 0 : expected[name] / most));
  };
  REQUIRE(scaled.channels.size() == fabric.channel_count());
  for (std::uint32_t c = 0; c < scaled.channels.size(); ++c) {
    check(naive_channel(c), scaled.channels[c]);
  }
  for (std::uint32_t i = 0; i < scaled.sent.size(); ++i) {
    check(naive_sent(i), scaled.sent[i]);
    check(naive_received(i), scaled.received[i]);
  }
}

/// Checks all metrics over three runs.
void check_simulation(const RoutedFabric& routed, const Pattern& pattern, std::uint32_t ranks,
                      HostLinks host_links) {
  const RouteStore routes(routed.fabric, routed.tables);
  const RecordingPattern recording(pattern);
  HostMappingOptions mapping_options;
  mapping_options.ranks = ranks;
  const HostMapping mapping(routed.fabric, mapping_options);
  SimulationOptions options;
  options.runs = 3;
  options.seed = 7;
  options.host_links = host_links;
  options.cables = true;
  const SimulationResult result = simulate(routes, recording, mapping, options);

  REQUIRE(result.runs.size() == 3);
  std::map<double, std::uint64_t> histogram;
  std::map<std::string, std::uint64_t> links;
  double bandwidth_sum = 0;
  std::uint64_t flows = 0;
  for (std::uint64_t r = 0; r < 3; ++r) {
    NaiveRun run;
    if (pattern.level_count() > 0) run.levels = recording.recorded().at(r);
    mapping.draw(options.seed, r, run.hosts);
    const NaiveMetrics expected = naive_metrics(routed, run, host_links, pattern.observed_ranks());
    check_run(result.runs[r], expected);
    for (const auto& [congestion, count] : expected.histogram) histogram[congestion] += count;
    for (const auto& [name, load] : expected.links) links[name] += load;
    bandwidth_sum += expected.bandwidth * static_cast<double>(expected.flows);
    flows += expected.flows;
  }
  CHECK(result.histogram == histogram);
  const FlowBandwidth total = flow_bandwidth(result.histogram);
  CHECK(total.flows == flows);
  if (flows > 0) CHECK(total.bandwidth == Approx(bandwidth_sum / static_cast<double>(flows)));
  if (pattern.level_count() > 0) {
    check_cables(routed.fabric, result.cables, host_links, links);
  }
}

}  // namespace

TEST_CASE("every metric of every pattern matches its definition") {
  const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
  const TemporaryFile levels("0 1\n2 3\n1 0\nlevel\n3 0\nlevel\n0 2\n0 3\n");
  std::set<std::string_view> seen;
  for (const NamedFabric& fabric : fabrics()) {
    const auto hosts = static_cast<std::uint32_t>(fabric.routed.fabric.endpoints().size());
    for (const PatternDescription& description : pattern_registry()) {
      for (const std::uint32_t ranks : {hosts, hosts - 1, 4U}) {
        PatternSpec request;
        request.pattern = with_argument(description.name, levels.path());
        request.ranks = ranks;
        request.ranks_of_first = 2;
        const std::unique_ptr<Pattern> pattern = try_to_make(request);
        if (!pattern) continue;
        INFO(fabric.name << ", " << request.pattern << ", " << ranks << " ranks");
        seen.insert(description.name);
        check_simulation(fabric.routed, *pattern, ranks, HostLinks::counted);
        check_simulation(fabric.routed, *pattern, ranks, HostLinks::left_out);
      }
    }
  }
  CHECK(seen.size() == pattern_registry().size());
}
