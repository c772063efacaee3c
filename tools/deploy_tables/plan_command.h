#pragma once

#include "tools/deploy_tables/options.h"

namespace pssp {

/// Reports the effects of new tables without changing anything. Returns the exit code; throws
/// Error.
int plan_tables(const DeployOptions& options);

}  // namespace pssp
