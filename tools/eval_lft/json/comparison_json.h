#pragma once

// Several forwarding tables of one fabric side by side, for scripts.

#include <nlohmann/json_fwd.hpp>

#include "evaluator/scoring/comparison.h"

namespace pssp {

/// An object; docs/eval_lft.md lists its members.
nlohmann::ordered_json to_json(const Comparison& comparison);

}  // namespace pssp
