#pragma once

// The commands that change something: apply, confirm, back-out.

#include <string>

#include "tools/deploy_tables/options.h"
#include "tools/deploy_tables/state_folder.h"

namespace pssp {

/// Return the exit code; throw Error.
int apply_tables(const DeployOptions& options);
int confirm_tables(const DeployOptions& options);
int back_out_tables(const DeployOptions& options);

/// Restores the previous tables, under the lock, from wherever an earlier attempt ended: notes this
/// in `pending`, moves the old file into place, reloads the manager and reads the switches. Returns
/// the error; then `pending` stays, and the next call continues. Empty: the switches hold the
/// previous tables, and `pending` and its timer are removed.
std::string go_back(const StateFolder& state, Pending pending, const PortOptions& port);

}  // namespace pssp
