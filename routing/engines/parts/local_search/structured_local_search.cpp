// Noise would do harm here: tables of a regular tree distribute shifts evenly, and after noise no
// changes that only lower the cost restore this. So structured traffic comes last, in a local
// search from tables that are already good for random traffic, or already distribute shifts evenly.

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
