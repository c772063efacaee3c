#pragma once

// The baseline: all nodes and cables that were ever seen, and the tables of the fabric when nothing
// is missing (docs/explanation/incremental-rerouting.md).

#include <cstdint>
#include <optional>
#include <vector>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/repair/stable_rerouting.h"

namespace pssp {

struct Baseline {
  Fabric fabric;
  ForwardingTables tables;  ///< in the numbering of `fabric`
  /// The switches in the preference order whose usable_order() all paths follow (legal_order.h).
  /// Repaired tables follow the usable order of the remaining switches, so they need one virtual
  /// lane. Empty: no such order exists.
  std::vector<std::uint32_t> preference = {};
  /// The largest difference between a path's hop count and the minimum (longest_extra_hops()), also
  /// allowed for repaired tables. 0 if there is a preference order.
  std::uint32_t max_extra_hops = 0;
};

/// Determines the order and the extra hops. `tables` must be complete. O(LIDs * switches * hops +
/// switches * channels).
Baseline make_baseline(Fabric fabric, ForwardingTables tables);

/// Options with which no entry of the baseline changes while nothing is missing.
StableOptions options_of(const Baseline& baseline, const StableOptions& options);

/// Whether `meant` contains all switches, end ports, cables (at the same ports) and LIDs of `now`,
/// and no channel of `now` is faster. Ignores names. O(ports log nodes).
bool is_part_of(const Fabric& now, const Fabric& meant);

/// The union of `meant` and `now`. In conflicts (a LID with another owner, a port with another
/// cable), `now` takes precedence; replaced hardware keeps its position (positions.h). Of two
/// rates, the faster. O(ports log nodes), plus find_positions().
Fabric united(const Fabric& meant, const Fabric& now);

/// Extends the baseline by what is new: tables of the united fabric in which existing entries stay,
/// and successors take over the entries of replaced hardware (positions.h). Stable rerouting puts
/// traffic on new links. If no cable between switches is new, entries change only for new LIDs,
/// unless the first hosts above the leaves are new: entries for LIDs of switches then follow an
/// order. Returns none if nothing is new. Costs and errors as reroute_stably().
std::optional<Baseline> grown(const Baseline& baseline, const Fabric& now,
                              const StableOptions& options, const StopSignal& stop);

/// Alternatives to `larger`, the result of grown(), for comparison with it. In the first ones, new
/// LIDs and new switches use the entries of `guide` (an engine's tables for the same fabric) if
/// these reach the destination, both unchanged and moved to reduce the contention of structured
/// traffic; existing entries stay, so new cables between existing switches carry traffic only to
/// new LIDs. If a cable between switches is new, the other alternatives are `larger` with entries
/// moved in the same way. Returns only baselines with an order, so none for fabrics that are not
/// trees. Time: a few passes of reduce_contention() over all LIDs.
std::vector<Baseline> other_growths(const ForwardingTables& guide, const Baseline& baseline,
                                    const Baseline& larger, const Fabric& now,
                                    const StableOptions& options, const StopSignal& stop);

/// Repairs the baseline for the current fabric, which must be part of it (grown()): repair() with
/// the costs and the order of the baseline. Absent hosts count as present, so that a host's failure
/// moves no entries for other hosts. `changes` are relative to `in_force` if given (in the
/// numbering of `now`: transfer_tables()), else to the baseline. Costs and errors as repair().
StableRouting repaired(const Baseline& baseline, const Fabric& now,
                       const ForwardingTables* in_force, const StableOptions& options,
                       const StopSignal& stop);

/// Fraction of the entries of `tables` (for `now`) for which the baseline has an entry, too, 0
/// .. 1.
double known_part(const Baseline& baseline, const Fabric& now, const ForwardingTables& tables);

}  // namespace pssp
