#pragma once

// The worst pairs of hosts with their paths, as text.

#include <cstdint>
#include <span>
#include <string>

#include "evaluator/metrics/worst_pairs.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// The pairs, each with its path link by link. `loads` must be those of channel_loads(). Ends with
/// a line end.
std::string to_text(const Fabric& fabric, const ForwardingTables& tables, const WorstPairs& worst,
                    std::span<const std::uint64_t> loads);

}  // namespace pssp
