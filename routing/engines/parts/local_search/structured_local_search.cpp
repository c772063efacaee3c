// Noise is not wanted here: routes of a regular tree are in step with each other, and no moves that
// only lower the count ever bring them back there. So structured traffic is looked at last, by
// local search from tables that are good at random traffic, or in step, already.

#include "routing/engines/parts/local_search/structured_local_search.h"

#include "routing/engines/parts/local_search/contention_search.h"

namespace pssp {

void reduce_structured_contention(const Fabric& fabric, ForwardingTables& tables,
                                  const StructuredSearch& how, const StopSignal& stop) {
  reduce_contention(fabric, tables,
                    {.max_extra_hops = how.max_extra_hops,
                     .max_passes = how.passes,
                     .max_probes = how.max_probes,
                     .up_down = how.up_down,
                     .structured = how.structured,
                     .only_first_lids = true,
                     .fixed = how.fixed},
                    stop);
}

}  // namespace pssp
