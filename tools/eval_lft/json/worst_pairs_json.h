#pragma once

// The worst pairs of hosts with their paths, as JSON.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "evaluator/metrics/worst_pairs.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// An object; docs/reference/eval.md lists its members. `loads` are those of channel_loads().
nlohmann::ordered_json to_json(const Fabric& fabric, const ForwardingTables& tables,
                               const WorstPairs& worst, std::span<const std::uint64_t> loads);

}  // namespace pssp
