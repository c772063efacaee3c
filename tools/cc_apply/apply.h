#pragma once

// The tasks of cc_apply.

#include "tools/cc_apply/apply_options.h"

namespace pssp {

/// The exit code: 0, or verification_failed when a node is not as it was asked for. Throws Error of
/// every kind.
int run_apply(const ApplyOptions& options);

}  // namespace pssp
