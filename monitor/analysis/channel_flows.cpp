#include "monitor/analysis/channel_flows.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "monitor/analysis/traffic_owners.h"

namespace pssp {
namespace {

bool crosses(const FlowRoutes& routes, std::size_t flow, ChannelId channel) {
  return std::ranges::count(routes.path(flow), channel.value()) != 0;
}

std::vector<double> bytes_by_flow(const TrafficMatrix& matrix) {
  std::vector<double> bytes;
  bytes.reserve(matrix.flows.size());
  for (const WeightedFlow& flow : matrix.flows) bytes.push_back(flow.bytes);
  return bytes;
}

}  // namespace

ChannelFlows flows_of_channel(const ObservedTraffic& observed, const TrafficMatrix& matrix,
                              ChannelId channel, const std::vector<ProposedTables>& proposals) {
  const Fabric& fabric = *observed.fabric;
  const TrafficOwners owners(observed);
  const FlowRoutes now(fabric, *observed.tables, matrix.flows);
  const std::vector<double> bytes = bytes_by_flow(matrix);
  ChannelFlows result;
  result.channel = channel;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, LeafPair> pairs;
  std::vector<std::size_t> on_it;
  for (std::size_t i = 0; i < matrix.flows.size(); ++i) {
    if (!crosses(now, i, channel)) continue;
    on_it.push_back(i);
    result.bytes += bytes[i];
    const EndPortId source = fabric.endpoints()[matrix.flows[i].source];
    const EndPortId destination = fabric.endpoints()[matrix.flows[i].destination];
    const std::uint32_t flow_class = owners.class_of(source.value(), destination.value());
    const std::uint32_t job = flow_class == TrafficOwners::no_class
                                  ? owners.job_count()
                                  : owners.job_of_class(flow_class);
    const SwitchId from = fabric.end_port(source).attached;
    const SwitchId to = fabric.end_port(destination).attached;
    LeafPair& pair = pairs[{from.value(), to.value(), job}];
    pair.from = from;
    pair.to = to;
    pair.job = job;
    ++pair.flows;
    pair.bytes += bytes[i];
  }
  result.flows = on_it.size();
  for (const auto& [key, pair] : pairs) result.pairs.push_back(pair);
  std::ranges::stable_sort(result.pairs,
                           [](const LeafPair& a, const LeafPair& b) { return a.bytes > b.bytes; });
  const auto time_of = [&](const FlowRoutes& routes) {
    return carry_times(fabric, matrix.flows, routes, bytes).channels[channel.value()];
  };
  result.busy_seconds = time_of(now);
  for (const ProposedTables& each : proposals) {
    if (!each.candidate.problem.empty()) continue;
    const FlowRoutes routes(fabric, each.candidate.tables, matrix.flows);
    AvoidingFlows avoiding;
    avoiding.name = each.candidate.name;
    for (const std::size_t i : on_it) {
      if (crosses(routes, i, channel)) continue;
      ++avoiding.flows;
      avoiding.bytes += result.bytes > 0 ? bytes[i] / result.bytes : 0;
    }
    if (result.busy_seconds > 0) avoiding.busy = time_of(routes) / result.busy_seconds;
    result.avoiding.push_back(std::move(avoiding));
  }
  return result;
}

}  // namespace pssp
