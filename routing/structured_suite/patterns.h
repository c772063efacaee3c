#pragma once

// The patterns of structured traffic, phase by phase.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// A flow between two hosts, given by their positions in the host order.
struct HostFlow {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  friend bool operator==(const HostFlow&, const HostFlow&) = default;
};

/// Receives the flows of one phase, which are valid during the call.
using PhaseVisitor = std::function<void(std::span<const HostFlow>)>;

/// A sequence of phases; the flows of a phase run at the same time. In a phase, each host sends to
/// at most one other host and receives from at most one other host. If nodes write to servers, a
/// node may send to all servers, and a server may receive from all nodes.
struct TrafficPattern {
  std::string_view name;
  std::size_t phases = 0;  ///< number of visited phases, at least one
  bool sampled = false;    ///< only every seventh phase or fewer are visited
  /// Whether the pattern is part of S (structured_suite.h).
  bool in_summary = false;
  /// Whether the pattern counts in addition to S when tables are compared: writes to servers that
  /// node types identify.
  bool beside_summary = false;
  /// Visits the phases in order, O(flows).
  std::function<void(const PhaseVisitor&)> visit;
};

/// On large fabrics, patterns with about as many phases as hosts are sampled.
struct PhaseSampling {
  std::size_t above_hosts = 2048;  ///< fabrics with at most this many hosts are not sampled
  /// Limit for all shifts together; hosts times this value must fit into 64 bits.
  std::size_t most_flows = std::numeric_limits<std::uint32_t>::max();

  /// One of this many phases is visited: 7, or a larger prime number if the flows exceed the limit.
  std::size_t step(std::size_t hosts) const;
};

/// Above 256 hosts, a seventh of the phases distinguishes tables as well as all phases; above 5,656
/// hosts, four million flows do: 85 shifts of 46,656 hosts.
inline constexpr PhaseSampling phases_to_compare_by{.above_hosts = 256, .most_flows = 4'000'000};

/// All patterns for this number of hosts, in the order of the documentation
/// (docs/explanation/structured-traffic.md): shifts, recursive_doubling, stencil_2d, stencil_3d,
/// jobs, rails, bit_reversal, transpose, leaf_pairs, node_jobs_16, node_jobs_64, servers_one,
/// servers_job, servers_all. Patterns without a phase are left out. `hosts` must be in order, and
/// all must be attached. `all_phases` turns sampling off. O(hosts) time and memory.
std::vector<TrafficPattern> make_patterns(const Fabric& fabric, const std::vector<EndPortId>& hosts,
                                          bool all_phases, const PhaseSampling& sampling = {});

}  // namespace pssp
