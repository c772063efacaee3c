#pragma once

// Scores tables with structured traffic (docs/explanation/structured-traffic.md), as data.

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
  /// Count only the patterns of S, and only if that takes at most a second, or a tenth of the
  /// bisections' time.
  bool only_if_cheap = true;
  bool all_phases = false;  ///< without sampling
  LidUse lids{};
};

struct StructuredTraffic {
  std::string host_order;  ///< as text for reports: "name", "file:ranks.txt"
  std::size_t hosts = 0;   ///< in the traffic
  std::size_t without_lid = 0;
  std::size_t on_other_islands = 0;
  std::size_t servers = 0;  ///< among the hosts (routing/structured_suite/servers.h)
  bool servers_are_by_node_type = false;
  LidUse lids{};
  bool summary_only = false;  ///< `times` contain only the patterns of S
  bool left_out = false;      ///< because of only_if_cheap; `times` are empty
  SuiteTimes times;
  double bandwidth = 0;  ///< used for the score
  double score = 0;      ///< suite_score()
};

/// Whether the patterns of S take at most about a second, or a tenth of the time of this many
/// bisections. Depends on the amount of work, so that the result is the same on all machines.
/// O(hosts).
bool is_cheap_beside(const Fabric& fabric, const OrderedHosts& hosts, std::uint64_t bisections);

/// `bisections`: the number of bisections of `bandwidth`. `host_order`: the selection, as text.
/// O(hops of all flows), on one thread.
StructuredTraffic structured_traffic(const Fabric& fabric, const ForwardingTables& tables,
                                     OrderedHosts hosts, const std::string& host_order,
                                     const StructuredOptions& options, double bandwidth,
                                     std::uint64_t bisections);
/// The same for several tables with their bandwidths: shares the computations that depend only on
/// fabric and hosts, and processes each set of tables in a thread of oneTBB.
std::vector<StructuredTraffic> structured_traffic(const Fabric& fabric,
                                                  std::span<const ForwardingTables* const> tables,
                                                  OrderedHosts hosts, const std::string& host_order,
                                                  const StructuredOptions& options,
                                                  std::span<const double> bandwidths,
                                                  std::uint64_t bisections);

}  // namespace pssp
