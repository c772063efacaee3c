#include "tests/evaluator/naive_evaluator.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace pssp::test {

std::optional<std::vector<std::uint32_t>> naive_route(const Fabric& fabric,
                                                      const ForwardingTables& tables,
                                                      std::uint32_t source,
                                                      std::uint32_t destination) {
  const EndPortId target = fabric.endpoints()[destination];
  std::vector<std::uint32_t> channels;
  std::set<std::uint32_t> visited;
  SwitchId at = fabric.end_port(fabric.endpoints()[source]).attached;
  while (visited.insert(at.value()).second) {
    const PortNumber port = tables.at(at, fabric.end_port(target).lid);
    const PortTarget behind = fabric.behind(at, port);
    if (behind.kind == PortTarget::Kind::end_port && behind.index == target.value()) {
      return channels;
    }
    if (behind.kind != PortTarget::Kind::channel) return std::nullopt;
    channels.push_back(behind.index);
    at = SwitchId(fabric.channel_head()[behind.index]);
  }
  return std::nullopt;
}

std::vector<double> naive_congestion(const Fabric& fabric, const ForwardingTables& tables,
                                     std::span<const Flow> flows) {
  // Host links count as well. The key is (true, rank) for sending and (false, rank) for receiving.
  std::map<std::uint32_t, int> on_channel;
  std::map<std::pair<bool, std::uint32_t>, int> on_end_port;
  for (const Flow& flow : flows) {
    const auto route = naive_route(fabric, tables, flow.source, flow.destination);
    if (!route) continue;
    for (const std::uint32_t channel : *route) ++on_channel[channel];
    ++on_end_port[{true, flow.source}];
    ++on_end_port[{false, flow.destination}];
  }
  std::vector<double> congestion;
  for (const Flow& flow : flows) {
    const auto route = naive_route(fabric, tables, flow.source, flow.destination);
    double largest = std::numeric_limits<double>::infinity();
    if (route) {
      const auto end_port_cost = [&](std::uint32_t rank) {
        return fabric.end_port_cost(fabric.endpoints()[rank]);
      };
      largest = std::max(on_end_port[{true, flow.source}] * end_port_cost(flow.source),
                         on_end_port[{false, flow.destination}] * end_port_cost(flow.destination));
      for (const std::uint32_t channel : *route) {
        largest = std::max(largest, on_channel[channel] * fabric.channel_cost()[channel]);
      }
    }
    congestion.push_back(largest);
  }
  return congestion;
}

double naive_bandwidth(const Fabric& fabric, const ForwardingTables& tables,
                       std::span<const Flow> flows) {
  double sum = 0;
  for (const double congestion : naive_congestion(fabric, tables, flows)) sum += 1 / congestion;
  return sum / static_cast<double>(flows.size());
}

std::vector<std::vector<Flow>> all_bisections(std::uint32_t endpoints) {
  // Follows the definition: every set of half the endpoints, with every order of the other half as
  // partners.
  std::vector<std::vector<Flow>> bisections;
  for (std::uint32_t senders = 0; senders < (1U << endpoints); ++senders) {
    std::vector<std::uint32_t> a;
    std::vector<std::uint32_t> b;
    for (std::uint32_t rank = 0; rank < endpoints; ++rank) {
      ((senders >> rank & 1U) != 0 ? a : b).push_back(rank);
    }
    if (a.size() != b.size()) continue;
    do {
      std::vector<Flow> flows;
      for (std::size_t i = 0; i < a.size(); ++i) flows.push_back({a[i], b[i]});
      bisections.push_back(std::move(flows));
    } while (std::next_permutation(b.begin(), b.end()));
  }
  return bisections;
}

}  // namespace pssp::test
