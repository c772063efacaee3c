#pragma once

// The evaluation as text.

#include <string>

#include "evaluator/scoring/evaluation.h"
#include "fabric/fabric.h"

namespace pssp {

/// Several lines of at most about 100 columns (names may be longer), with a line end.
std::string to_text_report(const Fabric& fabric, const ForwardingTables& tables,
                           const Evaluation& evaluation);

}  // namespace pssp
