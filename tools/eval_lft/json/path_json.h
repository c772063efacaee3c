#pragma once

// Paths as JSON.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "evaluator/paths/path.h"
#include "fabric/fabric.h"

namespace pssp {

/// An object; docs/reference/eval.md lists its members. `loads` are those of channel_loads().
nlohmann::ordered_json to_json(const Fabric& fabric, const Path& path,
                               std::span<const std::uint64_t> loads);

}  // namespace pssp
