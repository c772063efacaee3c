#pragma once

// The worst-off pairs of hosts with their paths, for people and for scripts.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "evaluator/metrics/worst_pairs.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// The pairs, each with its path link by link. `loads` are those of channel_loads(). Ends in a line
/// end.
std::string to_text(const Fabric& fabric, const ForwardingTables& tables, const WorstPairs& worst,
                    std::span<const std::uint64_t> loads);

/// Likewise as an object; docs/eval_lft.md lists its members.
nlohmann::ordered_json to_json(const Fabric& fabric, const ForwardingTables& tables,
                               const WorstPairs& worst, std::span<const std::uint64_t> loads);

}  // namespace pssp
