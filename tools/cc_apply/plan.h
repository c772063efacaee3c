#pragma once

// The settings that cc_apply would send.

#include <vector>

#include "tools/cc_apply/apply_options.h"

namespace pssp {

/// Prints to standard output, as text or JSON. Throws Error(output).
void print_plan(const std::vector<CcNode>& nodes, const CongestionParameters& parameters,
                const ApplyOptions& options);

}  // namespace pssp
