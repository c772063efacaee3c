#pragma once

#include "tools/deploy_tables/options.h"

namespace pssp {

/// Reports the current tables and pending changes. Returns 7 if a change is unconfirmed and nothing
/// would undo it. Throws Error.
int show_status(const DeployOptions& options);

}  // namespace pssp
