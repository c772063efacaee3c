// Flows of the structured traffic suite are followed through the tables, flows of bisections are
// read from a faster store; the ratio of their costs was measured on trees of 528 and 4390 hosts.

#include "evaluator/scoring/structured_traffic.h"

#include <tbb/parallel_for.h>

#include <utility>

#include "routing/structured_suite/servers.h"

namespace pssp {
namespace {

constexpr std::uint64_t flow_in_flows_of_bisections = 5;
constexpr std::uint64_t part_of_the_time = 10;
/// 50 ns per flow, on a tree of 5832 hosts and on a mesh of 800.
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
                                     OrderedHosts hosts, const std::string& host_order,
                                     const StructuredOptions& options, double bandwidth,
                                     std::uint64_t bisections) {
  const ForwardingTables* const only = &tables;
  return structured_traffic(fabric, {&only, 1}, std::move(hosts), host_order, options,
                            {&bandwidth, 1}, bisections)
      .front();
}

std::vector<StructuredTraffic> structured_traffic(const Fabric& fabric,
                                                  std::span<const ForwardingTables* const> tables,
                                                  OrderedHosts hosts, const std::string& host_order,
                                                  const StructuredOptions& options,
                                                  std::span<const double> bandwidths,
                                                  std::uint64_t bisections) {
  StructuredTraffic common;
  common.host_order = host_order;
  common.hosts = hosts.hosts.size();
  common.without_lid = hosts.without_lid;
  common.on_other_islands = hosts.on_other_islands;
  common.lids = options.lids;
  common.summary_only = options.only_if_cheap;
  common.left_out = options.only_if_cheap && !is_cheap_beside(fabric, hosts, bisections);
  std::vector<StructuredTraffic> traffic(tables.size(), common);
  for (std::size_t i = 0; i < tables.size(); ++i) traffic[i].bandwidth = bandwidths[i];
  if (common.left_out) return traffic;
  const ServersAndNodes servers = find_servers(fabric, hosts.hosts);
  const StructuredSuite structured_suite(
      fabric, std::move(hosts), options.all_phases,
      options.only_if_cheap ? StructuredSuite::Extent::summary : StructuredSuite::Extent::all,
      options.lids);
  tbb::parallel_for(std::size_t{0}, tables.size(), [&](std::size_t i) {
    StructuredTraffic& each = traffic[i];
    each.servers = servers.servers.size();
    each.servers_are_by_node_type = servers.by_type;
    each.times = structured_suite.measure(*tables[i]);
    each.score = suite_score(each.bandwidth, each.times.structured_slowdown);
  });
  return traffic;
}

}  // namespace pssp
