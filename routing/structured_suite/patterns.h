#pragma once

// The patterns of structured traffic: what applications send in order, phase by phase.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// From one host to another, by their positions in the host order.
struct HostFlow {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  friend bool operator==(const HostFlow&, const HostFlow&) = default;
};

/// Gets the flows of one phase; they are valid during the call.
using PhaseVisitor = std::function<void(std::span<const HostFlow>)>;

/// A list of phases, one after the other; the flows of a phase run at once. In a phase each host
/// sends to at most one other and receives from at most one, none to itself; where nodes write to
/// servers, a node may send to all servers and a server receive from all nodes.
struct TrafficPattern {
  std::string_view name;
  std::size_t phases = 0;  ///< that are visited; at least one
  bool sampled = false;    ///< only every seventh phase is visited, or fewer
  /// Whether it counts in S (structured_suite.h).
  bool in_summary = false;
  /// Whether it counts beside S where tables are compared: what is written to servers that kinds
  /// of hosts tell.
  bool beside_summary = false;
  /// Visits the phases in order, O(flows).
  std::function<void(const PhaseVisitor&)> visit;
};

/// Patterns of about as many phases as hosts are sampled on large fabrics.
struct PhaseSampling {
  std::size_t above_hosts = 2048;  ///< nothing is sampled of fewer hosts, or so many
  /// Of all shifts together; hosts times this must not exceed 64 bits.
  std::size_t most_flows = std::numeric_limits<std::uint32_t>::max();

  /// Of how many phases one is visited: 7, or a larger prime number for few enough flows.
  std::size_t step(std::size_t hosts) const;
};

/// Above 256 hosts, a seventh of the phases tells tables apart as well as all do, and above 5,656
/// four million flows do: 85 shifts of 46,656 hosts.
inline constexpr PhaseSampling phases_to_compare_by{.above_hosts = 256, .most_flows = 4'000'000};

/// All patterns that so many hosts have, in the order of the documentation
/// (docs/explanation/structured-traffic.md): shifts, recursive_doubling, stencil_2d, stencil_3d,
/// jobs, rails, bit_reversal, transpose, leaf_pairs, node_jobs_16, node_jobs_64, servers_one,
/// servers_job, servers_all. Patterns without a phase are left out. `hosts`: in order, attached
/// all. `all_phases`: nothing is sampled. O(hosts) time and memory.
std::vector<TrafficPattern> make_patterns(const Fabric& fabric, const std::vector<EndPortId>& hosts,
                                          bool all_phases, const PhaseSampling& sampling = {});

}  // namespace pssp
