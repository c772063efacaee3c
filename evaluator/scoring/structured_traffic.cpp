// A flow of the portfolio is followed through the tables, one of a bisection is read from a store
// that was made for that; the ratio of their costs was measured on trees of 528 and 4390 hosts.

#include "evaluator/scoring/structured_traffic.h"

#include <utility>

#include "routing/portfolio/servers.h"

namespace pssp {
namespace {

constexpr std::uint64_t flow_in_flows_of_bisections = 5;
constexpr std::uint64_t part_of_the_time = 10;
/// 50 ns a flow, on a tree of 5832 hosts as on a mesh of 800.
constexpr std::uint64_t flows_of_a_second = 20'000'000;

}  // namespace

bool is_cheap_beside(const Fabric& fabric, const OrderedHosts& hosts, std::uint64_t bisections) {
  std::uint64_t phases = 0;
  for (const TrafficPattern& each : make_patterns(fabric, hosts.hosts, false)) {
    if (each.in_summary) phases += each.phases;
  }
  const std::uint64_t n = hosts.hosts.size();
  if (phases * n <= flows_of_a_second) return true;
  return phases * n * flow_in_flows_of_bisections * part_of_the_time <= bisections * (n / 2);
}

StructuredTraffic structured_traffic(const Fabric& fabric, const ForwardingTables& tables,
                                     OrderedHosts hosts, std::string host_order,
                                     const StructuredOptions& options, double bandwidth,
                                     std::uint64_t bisections) {
  StructuredTraffic traffic;
  traffic.host_order = std::move(host_order);
  traffic.hosts = hosts.hosts.size();
  traffic.without_lid = hosts.without_lid;
  traffic.on_other_islands = hosts.on_other_islands;
  traffic.bandwidth = bandwidth;
  traffic.lids = options.lids;
  traffic.summary_only = options.only_if_cheap;
  traffic.left_out = options.only_if_cheap && !is_cheap_beside(fabric, hosts, bisections);
  if (traffic.left_out) return traffic;
  const ServersAndNodes servers = find_servers(fabric, hosts.hosts);
  traffic.servers = servers.servers.size();
  traffic.servers_are_by_kind = servers.by_kind;
  const Portfolio portfolio(
      fabric, std::move(hosts), options.all_phases,
      options.only_if_cheap ? Portfolio::Extent::summary : Portfolio::Extent::all, options.lids);
  traffic.times = portfolio.measure(tables);
  traffic.score = portfolio_score(bandwidth, traffic.times.structured_slowdown);
  return traffic;
}

}  // namespace pssp
