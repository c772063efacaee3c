#pragma once

// What a fabric is meant to be: all that has been seen of it, and the tables that it has when
// nothing is missing (docs/explanation/incremental-rerouting.md).

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
  ForwardingTables tables;  ///< in its numbering
  /// Its switches by the preference whose usable_order() all its paths follow (legal_order.h).
  /// Repaired tables follow the usable order of the remaining switches, so they need one virtual
  /// lane. Empty: there is no such order.
  std::vector<std::uint32_t> preference = {};
  /// The most hops by which a path is longer than the shortest (longest_extra_hops()); repaired
  /// tables may have such paths, too. 0 if there is an order.
  std::uint32_t max_extra_hops = 0;
};

/// Finds the order and the extra hops. `tables` must be complete. O(LIDs * switches * hops +
/// switches
/// * channels).
Baseline make_baseline(Fabric fabric, ForwardingTables tables);

/// Options by which all entries of the baseline can stay as long as nothing is missing.
StableOptions options_of(const Baseline& baseline, const StableOptions& options);

/// Whether everything of `now` is in `meant`: switches, end ports and cables at the same ports,
/// LIDs, and no channel is faster. Names do not matter. O(ports log nodes).
bool is_part_of(const Fabric& now, const Fabric& meant);

/// `meant` and `now` in one: where they contradict each other (a LID that has another owner, a port
/// with another cable), as it is now; who has taken a place (positions.h) has it. Of two rates the
/// faster one. O(ports log nodes), and what the places take.
Fabric united(const Fabric& meant, const Fabric& now);

/// The baseline with what is new: tables of the united fabric in which the entries of before stay,
/// those of who has gone with whoever has taken his place (positions.h). New links get traffic by
/// stable rerouting; where all cables between switches are meant, no entry for other LIDs than the
/// new ones moves, unless the first hosts above the leaves are new: entries for LIDs of switches
/// keep to an order from then on. None: there is nothing new. Costs and throws as reroute_stably().
std::optional<Baseline> grown(const Baseline& baseline, const Fabric& now,
                              const StableOptions& options, const StopSignal& stop);

/// Other baselines of the fabric that `larger` is of, which is what grown() made; to be compared
/// with it. In the first ones what is new (columns of new LIDs, rows of new switches) has the
/// entries of `guide`, tables of that fabric by an engine, where these lead on: as they are, and
/// moved to where structured traffic runs into each other less; what has been there has the entries
/// of before, so new cables between switches that were there get no traffic but to new LIDs. Where
/// a cable between switches is new the others are `larger` with any entry moved so. Only baselines
/// with an order, so none on fabrics that are no trees. Time: of a few passes of
/// reduce_contention() over all LIDs.
std::vector<Baseline> other_growths(const ForwardingTables& guide, const Baseline& baseline,
                                    const Baseline& larger, const Fabric& now,
                                    const StableOptions& options, const StopSignal& stop);

/// Tables of the baseline for the fabric as it is now, all of which the baseline has (grown()):
/// repair(), with the costs and the order of the baseline. Hosts that are absent count as if they
/// were there, so that nothing that happens to a host moves an entry for another. `changes` are
/// those since `in_force`, where there is such (in the numbering of `now`: transfer_tables()), else
/// since the baseline. Costs and throws as repair().
StableRouting repaired(const Baseline& baseline, const Fabric& now,
                       const ForwardingTables* in_force, const StableOptions& options,
                       const StopSignal& stop);

/// Part of the entries of `tables`, which are of `now`, that the baseline has one for, 0 .. 1.
double known_part(const Baseline& baseline, const Fabric& now, const ForwardingTables& tables);

}  // namespace pssp
