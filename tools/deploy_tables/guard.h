#pragma once

#include "tools/deploy_tables/options.h"

namespace pssp {

/// Watches the fabric until Ctrl-C, or until there is nothing left to guard. With `once`: a single
/// check, with the status of a Nagios plugin. Throws Error.
int guard_tables(const DeployOptions& options);

}  // namespace pssp
