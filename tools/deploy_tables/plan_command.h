#pragma once

#include "tools/deploy_tables/options.h"

namespace pssp {

/// Says what new tables would change, and writes nothing but the answer. Returns the exit code;
/// throws Error.
int plan_tables(const DeployOptions& options);

}  // namespace pssp
