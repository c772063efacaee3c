#pragma once

#include "tools/deploy_tables/options.h"

namespace pssp {

/// Checks whether the subnet manager uses the active file, and reports what to change; with
/// `write`, corrects opensm.conf (keeping a copy), and creates the active file from the current
/// tables. Returns 0 if everything is correct, 7 otherwise. Throws Error.
int check_setup(const DeployOptions& options);

}  // namespace pssp
