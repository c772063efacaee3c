#pragma once

// Tables that are good at structured traffic, made of those that are good at random traffic.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/paths/up_down_order.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/engines/parts/counts/structured_counts.h"
#include "routing/engines/parts/selection/selection.h"

namespace pssp {

/// Tables to descend from; what the pointers point to must outlive it.
struct StructuredStart {
  std::string name;
  const ForwardingTables* tables;
  const UpDownOrder* up_down = nullptr;  ///< as StructuredSearch has it
  std::uint32_t max_extra_hops = 0;      ///< likewise
};

/// Tables that stand in the selection, as they are now: until others are entered.
StructuredStart start_of(const TableCandidate& candidate);

/// Whether the fabric is so small that all starts and weights can be tried: hardly any time is
/// spent on it, and chance has more say.
bool is_small(const Fabric& fabric);
/// Whether it is so large that only what is most likely to win can be tried.
bool is_large(const Fabric& fabric);

/// The weights that are tried of all starts, and those that are tried of the best one besides.
/// Both empty the second time on large fabrics.
std::vector<StructuredWeights> weights_for_all(const Fabric& fabric);
std::vector<StructuredWeights> weights_for_best(const Fabric& fabric);
/// Those that are tried of a healed tree.
std::vector<StructuredWeights> weights_for_heal();
/// Whether the tables keep to the paths that local search goes by. An engine that was allowed extra
/// hops has others.
bool has_minimal_paths(const Fabric& fabric, const StructuredStart& start);

struct StructuredTrials {
  std::span<const StructuredWeights> of_all;   ///< tried of all starts, not empty
  std::span<const StructuredWeights> of_best;  ///< tried of the best start besides
};

/// Local search from each start that has_minimal_paths(), then from that which led to the best once
/// more; enters what comes of it, start by start, and has it judged. Starts may be candidates of
/// `selection`. At most `workers` threads at once; the same candidates for any number. Throws
/// Stopped.
void enter_structured_descents(Selection& selection, const Fabric& fabric,
                               std::vector<StructuredStart> starts, const StructuredTrials& trials,
                               unsigned workers, const StopSignal& stop);

/// Local search once more from the candidate of the highest score, by the most congested channel of
/// each shift, and enters what comes of it. Where that costs noticeable bandwidth, measured by what
/// has been first by now, it is refused, and a lighter weight tried; where S falls for next to
/// nothing, a heavier one, but on large fabrics; where that is refused one between both, which may
/// cost a little more and takes the place of the first where it has the higher score and the lower
/// S. Enters nothing unless that candidate has_minimal_paths(). Expects all to be judged.
void enter_against_hot_spots(Selection& selection, const Fabric& fabric, unsigned workers,
                             const StopSignal& stop);

/// The same by paths that may be one hop longer than the shortest, which may cost more bandwidth.
/// Enters nothing on large fabrics, and where the ways of that candidate keep to an order.
void enter_nonminimal(Selection& selection, const Fabric& fabric, unsigned workers,
                      const StopSignal& stop);

}  // namespace pssp
