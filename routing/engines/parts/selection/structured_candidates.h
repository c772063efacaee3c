#pragma once

// Local searches of engine `best` that improve candidates for random and structured traffic.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/paths/up_down_order.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/engines/parts/selection/selection.h"
#include "routing/engines/parts/tuning.h"

namespace pssp {

/// Tables that a search starts from. The pointers must outlive it.
struct SearchStart {
  std::string name;
  const ForwardingTables* tables;
  const UpDownOrder* up_down = nullptr;  ///< as in StructuredSearch
  std::uint32_t max_extra_hops = 0;      ///< likewise
};

/// A candidate of the selection; valid until another candidate is added.
SearchStart start_of(const TableCandidate& candidate);

/// Whether the fabric is small enough to try all starts and weights.
bool is_small(const Fabric& fabric);
/// Whether the fabric is so large that only the most promising searches are affordable.
bool is_large(const Fabric& fabric);

/// Weights for all starts, and additional weights for the best start.
std::vector<StructuredWeights> weights_for_all(const Fabric& fabric);
std::vector<StructuredWeights> weights_for_best(const Fabric& fabric);

struct SearchWeights {
  std::span<const StructuredWeights> of_all;   ///< for all starts, not empty
  std::span<const StructuredWeights> of_best;  ///< additionally for the best start
};

/// Structured search: adds and evaluates the results from all starts, start by start, and then from
/// the start that led to the best result. Ignores starts with non-minimal paths. Starts may be
/// candidates of `selection`. Uses at most `workers` threads; their number does not change the
/// result. Throws Stopped.
void add_structured_searches(Selection& selection, const Fabric& fabric,
                             std::vector<SearchStart> starts, const SearchWeights& weights,
                             unsigned workers, const StopSignal& stop);

/// Searches from a candidate for less contention in random traffic alone. Ignores candidates with
/// non-minimal paths. The result is not evaluated. Throws Stopped.
void add_random_traffic_search(Selection& selection, const Fabric& fabric, std::size_t position,
                               const StopSignal& stop);

/// Hot spot search from the candidate with the highest score: penalizes the most congested channels
/// of each shift. Refuses results that cost noticeable bandwidth, and then tries a smaller weight.
/// If a result costs hardly any bandwidth, tries larger weights, except on large fabrics. All
/// candidates must have been evaluated. Throws Stopped.
void add_hot_spot_search(Selection& selection, const Fabric& fabric, unsigned workers,
                         const StopSignal& stop);

/// The same with paths of up to one extra hop, which may cost more bandwidth. Does nothing on large
/// fabrics, and if the paths of that candidate follow an up*/down* order.
void add_nonminimal_search(Selection& selection, const Fabric& fabric, unsigned workers,
                           const StopSignal& stop);

}  // namespace pssp
