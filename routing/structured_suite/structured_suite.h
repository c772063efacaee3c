#pragma once

// Computes the time of structured traffic with given tables exactly, flow by flow.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/structured_suite/host_order.h"
#include "routing/structured_suite/lid_use.h"
#include "routing/structured_suite/patterns.h"

namespace pssp {

/// The results of one pattern. The congestion of a flow is the largest number of flows of its phase
/// on a link of its path, including host links, times reference rate / rate of the link.
struct PatternTime {
  std::string_view name;
  std::size_t phases = 0;
  bool sampled = false;
  bool in_summary = false;
  bool beside_summary = false;  ///< as in TrafficPattern
  double time = 1;              ///< mean over the phases of the largest congestion, at least 1 each
  double bound = 1;             ///< mean over the phases of a lower bound for all tables
  double slowdown = 1;          ///< time / bound
  double mean_congestion = 0;   ///< mean over all flows
  std::uint64_t unrouted = 0;   ///< flows that do not arrive; they load no link
};

struct SuiteTimes {
  std::vector<PatternTime> patterns;
  /// S: geometric mean of the slowdowns of shifts, recursive_doubling, stencil_2d, stencil_3d, jobs
  /// and rails, without missing patterns; 1 if all are missing.
  double structured_slowdown = 1;
  double without_rails = 1;  ///< the same without rails
  /// If node types identify the servers: S with one more pattern, the geometric mean of the
  /// slowdowns of servers_one and servers_job; otherwise S. The engine best compares tables by this
  /// value.
  double with_servers = 1;
  std::uint64_t unrouted = 0;

  /// Null if there is no such pattern.
  const PatternTime* find(std::string_view name) const;
};

/// eBB / S^weight: the score of tables for both random and structured traffic.
double suite_score(double bandwidth, double structured_slowdown, double weight = 0.25);

/// The patterns for the hosts of a fabric, with their bounds, which are the same for all tables.
class StructuredSuite {
 public:
  /// The patterns to evaluate.
  enum class Extent : std::uint8_t {
    all,
    summary,  ///< only the patterns of S
    /// The patterns of S and those in addition to S, sampled above 256 hosts: for comparing tables.
    quick,
  };

  /// The fabric must outlive the object. `use`: the LIDs of each host over which flows are striped,
  /// which affect times and bounds. O(flows of all phases).
  StructuredSuite(const Fabric& fabric, OrderedHosts hosts, bool all_phases = false,
                  Extent extent = Extent::all, LidUse use = {});

  const OrderedHosts& hosts() const noexcept { return hosts_; }

  /// O(hops of all flows); may be called from several threads. Throws Stopped.
  SuiteTimes measure(const ForwardingTables& tables, const StopSignal& stop = {}) const;

 private:
  const Fabric& fabric_;
  OrderedHosts hosts_;
  LidUse use_;
  std::vector<TrafficPattern> patterns_;
  std::vector<double> bounds_;
};

}  // namespace pssp
