#pragma once

// What tables are worth to traffic that applications send in order
// (docs/explanation/structured-traffic.md), as data.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/structured_suite/structured_suite.h"

namespace pssp {

struct StructuredOptions {
  /// Counts nothing but the patterns of S, and these only where that takes no more than a second,
  /// or a tenth of the bisections' time.
  bool only_if_cheap = true;
  bool all_phases = false;  ///< nothing is sampled
  LidUse lids{};
};

struct StructuredTraffic {
  std::string host_order;  ///< in words, for reports: "name", "file:ranks.txt"
  std::size_t hosts = 0;   ///< that take part
  std::size_t without_lid = 0;
  std::size_t on_other_islands = 0;
  std::size_t servers = 0;  ///< of the hosts (routing/structured_suite/servers.h)
  bool servers_are_by_node_type = false;
  LidUse lids{};
  bool summary_only = false;  ///< only the patterns of S are in `times`
  bool left_out = false;      ///< as StructuredOptions::only_if_cheap says; `times` are empty
  SuiteTimes times;
  double bandwidth = 0;  ///< that the score is made of
  double score = 0;      ///< suite_score()
};

/// Whether the patterns of S take no more than about a second, or a tenth of the time of so many
/// bisections. Decided by the work to be done, so that the answer is the same on all machines.
/// O(hosts).
bool is_cheap_beside(const Fabric& fabric, const OrderedHosts& hosts, std::uint64_t bisections);

/// `bisections`: that `bandwidth` is the mean of. `host_order`: as it was chosen, in words.
/// O(hops of all flows), on one thread.
StructuredTraffic structured_traffic(const Fabric& fabric, const ForwardingTables& tables,
                                     OrderedHosts hosts, const std::string& host_order,
                                     const StructuredOptions& options, double bandwidth,
                                     std::uint64_t bisections);
/// The same of several tables, with their bandwidths: what hangs on fabric and hosts alone is done
/// once, and each of the tables has a thread that oneTBB may use.
std::vector<StructuredTraffic> structured_traffic(const Fabric& fabric,
                                                  std::span<const ForwardingTables* const> tables,
                                                  OrderedHosts hosts, const std::string& host_order,
                                                  const StructuredOptions& options,
                                                  std::span<const double> bandwidths,
                                                  std::uint64_t bisections);

}  // namespace pssp
