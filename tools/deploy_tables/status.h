#pragma once

#include "tools/deploy_tables/options.h"

namespace pssp {

/// What is in force and what waits. Status 7 where a change is unconfirmed and nothing would take
/// it back. Throws Error.
int show_status(const DeployOptions& options);

}  // namespace pssp
