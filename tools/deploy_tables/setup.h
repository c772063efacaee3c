#pragma once

#include "tools/deploy_tables/options.h"

namespace pssp {

/// Does the subnet manager take its tables from the active file? Says what is right and what is to
/// be done; with `write` repairs opensm.conf, of which a copy is kept, and makes the active file of
/// the tables that are in force. Returns 0 where all is right, 7 otherwise. Throws Error.
int check_setup(const DeployOptions& options);

}  // namespace pssp
