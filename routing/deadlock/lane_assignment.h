#pragma once

// The assignment of routes to virtual lanes so that no lane can deadlock.
//
// Virtual lane and service level are the same number here: the SL2VL tables of all ports map each
// level to the lane of its number, so a packet stays on one lane, and the channel dependency graph
// of each lane may be looked at by itself (Dally, Seitz: "Deadlock-Free Message Routing in
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
  /// Lanes that the fabric has, 1 .. 15. It bounds what `balance` may use, not what is found
  /// necessary.
  unsigned max_lanes = 8;
  /// Spread the routes over all max_lanes lanes, also where fewer suffice.
  bool balance = false;
  /// Give the routes between two switches the same level in both directions. A connection that the
  /// communication manager sets up sends both ways on the level of its one path record (InfiniBand
  /// architecture 1.3, section 13.5.4: reversible paths), as do replies to management datagrams.
  /// Needs more lanes.
  bool reversible = false;
  /// Look at routes between end ports and the management ports of switches as well (performance
  /// and congestion management; what goes by lane 15 is safe anyway).
  bool switch_ports = true;
  /// How hard to try to do with fewer lanes: a factor of the bound of the search.
  unsigned effort = 1;
  /// Search ten times as long for max_lanes before more are said to be needed. Not worth it where
  /// other tables can be had instead.
  bool insist = true;
  /// Asked during the search. When it asks to stop, what was found until then is returned: the same
  /// tables may then get other lanes the next time.
  StopSignal stop = {};
  /// Elementary changes that the whole search may make, whatever `effort` and `insist` say; a
  /// million takes 5 to 10 ms. A limit of work and not of time, so that the same tables get the
  /// same lanes on any machine.
  std::uint64_t budget = std::numeric_limits<std::uint64_t>::max();
  /// Where there are more distinct routes, only those parts of them are looked at that can take
  /// part in a deadlock, each once (entangled_parts.h). Not with `reversible`.
  std::size_t most_whole_routes = 10'000'000;
  /// Bytes that the search may need by its estimate; where it would need more it is not begun.
  std::uint64_t most_bytes = std::numeric_limits<std::uint64_t>::max();
};

struct LaneAssignment {
  /// Each route that the tables have gets one; all have one only if `needed` is at most
  /// max_data_lanes.
  ServiceLevels service_levels;
  /// Fewest lanes for which an assignment was found; max_data_lanes + 1: none was. 1 and 2 are
  /// proved to be the fewest.
  unsigned needed = 1;
  /// Lanes in use: `needed`, or max_lanes if these are more and `balance` was asked for.
  unsigned lanes = 1;
  /// By lane: pairs of an endpoint and a LID of an endpoint at another switch.
  std::vector<std::uint64_t> pairs;
  /// The search was asked to stop before it was done: fewer lanes may do. Where none were found
  /// until then, that is why `needed` is max_data_lanes + 1.
  bool stopped = false;
  std::size_t distinct_routes = 0;       ///< sequences of channels, each once
  std::size_t channel_dependencies = 0;  ///< of all lanes together, each once
  std::uint64_t work = 0;                ///< elementary changes of the search; 0 for one lane
  bool budget_spent = false;             ///< fewer lanes might have been found with more of it
  /// What the search would have needed where that is more than most_bytes: then there was none,
  /// `needed` is max_data_lanes + 1 and there are no levels. Else 0.
  std::uint64_t bytes_wanted = 0;
};

/// Bytes that a search for lanes needs at least, whatever the tables.
std::uint64_t least_search_bytes(const Fabric& fabric);

/// Finds few lanes and evenly shares the routes out among those that can take them. Works for the
/// tables of any engine; routes that do not arrive have no level. The same tables and options give
/// the same bytes. One lane costs O(LIDs * switches); more cost a search that the options bound.
/// Throws Error(usage) when max_lanes is out of range, Error(mismatch) when the tables have another
/// number of switches than the fabric. verify_lanes() (routing/verify/lanes.h) proves the result.
LaneAssignment assign_lanes(const Fabric& fabric, const ForwardingTables& tables,
                            const LaneOptions& options = {});

}  // namespace pssp
