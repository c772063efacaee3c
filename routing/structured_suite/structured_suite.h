#pragma once

// How long structured traffic takes under given tables: an exact count, flow by flow.

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

/// What one pattern takes. The congestion of a flow is the largest number of flows of its phase on
/// a link of its way, host links included, each times reference rate / rate of the link.
struct PatternTime {
  std::string_view name;
  std::size_t phases = 0;
  bool sampled = false;
  bool in_summary = false;
  bool beside_summary = false;  ///< as TrafficPattern has it
  double time = 1;              ///< mean over the phases of the largest congestion, at least 1 each
  double bound = 1;             ///< mean over the phases of what no tables can go below
  double slowdown = 1;          ///< time / bound
  double mean_congestion = 0;   ///< mean over all flows
  std::uint64_t unrouted = 0;   ///< flows that do not arrive; they load no link
};

struct SuiteTimes {
  std::vector<PatternTime> patterns;
  /// S: geometric mean of the slowdowns of shifts, recursive_doubling, stencil_2d, stencil_3d, jobs
  /// and rails, of those that there are; 1 where there are none.
  double structured_slowdown = 1;
  double without_rails = 1;  ///< the same without rails
  /// S with one pattern more: the geometric mean of the slowdowns of servers_one and servers_job
  /// where kinds of hosts tell the servers; else S. Engine best compares tables by it.
  double with_servers = 1;
  std::uint64_t unrouted = 0;

  /// Null where there is no such pattern.
  const PatternTime* find(std::string_view name) const;
};

/// eBB / S^weight: what tables are worth to who sends in random and in structured patterns.
double suite_score(double bandwidth, double structured_slowdown, double weight = 0.25);

/// The patterns of a fabric's hosts, with their bounds, which are the same for all tables.
class StructuredSuite {
 public:
  /// What to leave out.
  enum class Extent : std::uint8_t {
    all,
    summary,  ///< only the patterns that S is made of
    /// The same and those beside S, sampled above 256 hosts: to compare tables by.
    quick,
  };

  /// The fabric must outlive the object. `use`: LIDs of each host that flows are striped over; they
  /// decide on times and bounds. O(flows of all phases).
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
