#pragma once

// The evaluation as one JSON object (docs/reference/eval.md lists its members), for scripts.

#include <string>
#include <vector>

#include "evaluator/scoring/evaluation.h"
#include "fabric/fabric.h"

namespace pssp {

/// Indented by two, with a line end. Undefined values (the bandwidth of a fabric with a single
/// endpoint) are null. `warnings` are those of the readers.
std::string to_json_report(const Fabric& fabric, const ForwardingTables& tables,
                           const Evaluation& evaluation, const std::vector<std::string>& warnings);

}  // namespace pssp
