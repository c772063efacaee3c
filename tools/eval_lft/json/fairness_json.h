#pragma once

// Fairness among hosts as JSON.

#include <cstddef>
#include <nlohmann/json_fwd.hpp>

#include "evaluator/metrics/host_fairness.h"
#include "fabric/fabric.h"

namespace pssp {

/// The measures and the `top` worst-off hosts as an object; docs/reference/eval.md lists its
/// members.
nlohmann::ordered_json to_json(const Fabric& fabric, const HostFairness& fairness, std::size_t top);

}  // namespace pssp
