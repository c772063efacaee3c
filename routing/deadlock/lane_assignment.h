#pragma once

// Assigns routes to virtual lanes so that no lane can deadlock.
//
// Virtual lane and service level have the same number here: the SL2VL tables of all ports map each
// level to the lane of its number, so a packet stays on one lane, and the channel dependency graph
// of each lane can be analyzed separately (Dally, Seitz: "Deadlock-Free Message Routing in
// Multiprocessor Interconnection Networks", 1987; Skeie, Lysne, Theiss: "Layered Shortest Path
// (LASH) Routing in Irregular System Area Networks", 2002; Domke, Hoefler, Nagel: "Deadlock-Free
// Oblivious Routing for Arbitrary Topologies", 2011).

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "fabric/tables/service_levels.h"

namespace pssp {

struct LaneOptions {
  /// Lanes of the fabric, 1 .. 15. Limits the lanes used by `balance`, not LaneAssignment::needed.
  unsigned max_lanes = 8;
  /// Spread the routes over all max_lanes lanes, even if fewer suffice.
  bool balance = false;
  /// Use the same level in both directions between two switches. Connections set up by the
  /// communication manager use the level of one path record in both directions (InfiniBand
  /// architecture 1.3, section 13.5.4: reversible paths), as do replies to management datagrams.
  /// Needs more lanes.
  bool reversible = false;
  /// Include routes between end ports and the management ports of switches (performance and
  /// congestion management). Packets on lane 15 cannot deadlock.
  bool switch_ports = true;
  /// Factor of the search limit: larger values search longer for fewer lanes.
  unsigned effort = 1;
  /// Search ten times as long before reporting that more than max_lanes are needed. Not useful if
  /// the caller can use other tables instead.
  bool insist = true;
  /// Stops the search, which then returns its best result so far; the same tables can get other
  /// lanes the next time.
  StopSignal stop = {};
  /// Limit of the elementary changes of the whole search, regardless of `effort` and `insist`; a
  /// million changes take 5 to 10 ms. Work is limited instead of time, so that the same tables get
  /// the same lanes on any machine.
  std::uint64_t budget = std::numeric_limits<std::uint64_t>::max();
  /// If there are more distinct routes, the search considers only the distinct parts that can take
  /// part in a deadlock (entangled_parts.h). Ignored with `reversible`.
  std::size_t most_whole_routes = 10'000'000;
  /// Memory limit in bytes; the search does not start if its estimate is higher.
  std::uint64_t most_bytes = std::numeric_limits<std::uint64_t>::max();
};

struct LaneAssignment {
  /// Each existing route has a level if `needed` is at most max_data_lanes.
  ServiceLevels service_levels;
  /// Fewest lanes found; max_data_lanes + 1 if no assignment was found. 1 and 2 are proved minimal.
  unsigned needed = 1;
  /// Lanes in use: `needed`, or max_lanes if this is higher and `balance` is set.
  unsigned lanes = 1;
  /// By lane: pairs of an endpoint and a LID of an endpoint at another switch.
  std::vector<std::uint64_t> pairs;
  /// The search was stopped before its end, so fewer lanes may suffice. If it had found no
  /// assignment yet, `needed` is max_data_lanes + 1.
  bool stopped = false;
  std::size_t distinct_routes = 0;       ///< distinct sequences of channels
  std::size_t channel_dependencies = 0;  ///< distinct dependencies, summed over all lanes
  std::uint64_t work = 0;                ///< elementary changes of the search; 0 for one lane
  bool budget_spent = false;             ///< with more budget, the search might find fewer lanes
  /// The estimated bytes of the search if they exceed most_bytes; `needed` is then max_data_lanes +
  /// 1, and there are no levels. Otherwise 0.
  std::uint64_t bytes_wanted = 0;
};

/// Lower bound of the memory of a search in bytes, for any tables.
std::uint64_t least_search_bytes(const Fabric& fabric);

/// Finds an assignment with few lanes and balances the routes among their possible lanes. Works for
/// the tables of any engine; routes that do not arrive have no level. The result depends only on
/// tables and options. O(LIDs * switches) for one lane; the options limit the search for more
/// lanes. Throws Error(usage) if max_lanes is out of range, and Error(mismatch) if the tables have
/// another number of switches than the fabric. verify_lanes() (routing/verify/lanes.h) proves the
/// result.
LaneAssignment assign_lanes(const Fabric& fabric, const ForwardingTables& tables,
                            const LaneOptions& options = {});

}  // namespace pssp
