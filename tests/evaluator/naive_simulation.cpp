#include "tests/evaluator/naive_simulation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "tests/evaluator/naive_evaluator.h"

namespace pssp::test {
namespace {

using Links = std::map<std::string, std::uint64_t>;

/// Names and costs of the links that a flow between endpoints crosses; none without a route.
std::optional<std::map<std::string, double>> path(const RoutedFabric& routed, Flow flow) {
  const auto channels = naive_route(routed.fabric, routed.tables, flow.source, flow.destination);
  if (!channels) return std::nullopt;
  std::map<std::string, double> links;
  const auto host_cost = [&](std::uint32_t endpoint) {
    return routed.fabric.end_port_cost(routed.fabric.endpoints()[endpoint]);
  };
  links[naive_sent(flow.source)] = host_cost(flow.source);
  links[naive_received(flow.destination)] = host_cost(flow.destination);
  for (const std::uint32_t c : *channels) {
    links[naive_channel(c)] = routed.fabric.channel_cost()[c];
  }
  return links;
}

double congestion(const RoutedFabric& routed, Flow flow, const Links& loads, HostLinks host_links) {
  const auto links = path(routed, flow);
  if (!links) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (const auto& [name, cost] : *links) {
    if (host_links == HostLinks::left_out && name[0] != 'c') continue;
    largest = std::max(largest, static_cast<double>(loads.at(name)) * cost);
  }
  return largest == 0 ? 1 : largest;
}

/// Delay of the chain that ends with flow i of phase `level`. The flow starts after the slowest
/// flow that its source received in the previous phase.
double chain(const NaiveRun& run, const std::vector<std::vector<double>>& congestions,
             std::size_t level, std::size_t i, std::uint32_t observed) {
  const Flow flow = run.levels[level][i];
  if (flow.source >= observed || flow.destination >= observed) return 0;
  if (std::isinf(congestions[level][i])) return 0;
  double before = 0;
  for (std::size_t k = 0; level > 0 && k < run.levels[level - 1].size(); ++k) {
    if (run.levels[level - 1][k].destination != flow.source) continue;
    before = std::max(before, chain(run, congestions, level - 1, k, observed));
  }
  return before + congestions[level][i];
}

}  // namespace

std::string naive_channel(std::uint32_t channel) { return "c" + std::to_string(channel); }
std::string naive_sent(std::uint32_t endpoint) { return "s" + std::to_string(endpoint); }
std::string naive_received(std::uint32_t endpoint) { return "r" + std::to_string(endpoint); }

NaiveMetrics naive_metrics(const RoutedFabric& routed, const NaiveRun& run, HostLinks host_links,
                           std::uint32_t observed_ranks) {
  NaiveMetrics metrics;
  std::vector<std::vector<double>> congestions;
  for (const std::vector<Flow>& level : run.levels) {
    std::vector<Flow> flows;
    for (const Flow& f : level) flows.push_back({run.hosts[f.source], run.hosts[f.destination]});
    Links loads;
    for (const Flow& f : flows) {
      if (const auto links = path(routed, f)) {
        for (const auto& link : *links) ++loads[link.first];
      }
    }
    for (const auto& [name, load] : loads) metrics.links[name] += load;
    congestions.emplace_back();
    double largest = 0;
    double sum = 0;
    int routed_flows = 0;
    for (const Flow& f : flows) {
      const double c = congestion(routed, f, loads, host_links);
      congestions.back().push_back(c);
      ++metrics.histogram[c];
      ++metrics.flows;
      metrics.bandwidth += 1 / c;
      if (std::isinf(c)) {
        ++metrics.unrouted;
        continue;
      }
      largest = std::max(largest, c);
      sum += c;
      ++routed_flows;
    }
    if (!flows.empty()) ++metrics.levels;
    metrics.sum_max_cong += largest;
    if (routed_flows > 0) metrics.sum_mean_cong += sum / routed_flows;
  }
  if (metrics.flows > 0) metrics.bandwidth /= static_cast<double>(metrics.flows);
  for (std::size_t l = 0; l < run.levels.size(); ++l) {
    for (std::size_t i = 0; i < run.levels[l].size(); ++i) {
      metrics.delay = std::max(metrics.delay, chain(run, congestions, l, i, observed_ranks));
    }
  }
  return metrics;
}

}  // namespace pssp::test
