#pragma once

// The tasks of cc_apply.

#include "tools/cc_apply/apply_options.h"

namespace pssp {

/// Returns the exit code: 0, or verification_failed if a node does not have the requested settings.
/// Throws Error of every kind.
int run_apply(const ApplyOptions& options);

}  // namespace pssp
