#pragma once

// What the commands of cc_params do.

#include "tools/cc_params/cc_params_options.h"

namespace pssp {

/// The exit code: 1 where `diff` found differences, otherwise 0. Throws Error.
int run_command(const CcParamsOptions& options);

}  // namespace pssp
