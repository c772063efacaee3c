#pragma once

// The commands of deploy_tables. They return the exit code and throw Error.

#include <string>

#include "tools/deploy_tables/options.h"
#include "tools/deploy_tables/state_folder.h"

namespace pssp {

/// Reports the effects of new tables without changing anything.
int plan_tables(const DeployOptions& options);
int apply_tables(const DeployOptions& options);
int confirm_tables(const DeployOptions& options);
int back_out_tables(const DeployOptions& options);

/// Restores the previous tables, under the lock, from wherever an earlier attempt ended: notes this
/// in `pending`, moves the old file into place, reloads the manager and reads the switches. Returns
/// the error; then `pending` stays, and the next call continues. Empty: the switches hold the
/// previous tables, and `pending` and its timer are removed.
std::string go_back(const StateFolder& state, Pending pending, const PortOptions& port);

/// Reports the current tables and pending changes. Returns 7 if a change is unconfirmed and nothing
/// would undo it.
int show_status(const DeployOptions& options);

/// Watches the fabric until Ctrl-C, or until there is nothing left to guard. With `once`: a single
/// check, with the status of a Nagios plugin.
int guard_tables(const DeployOptions& options);

/// Checks whether the subnet manager uses the active file, and reports what to change; with
/// `write`, corrects opensm.conf (keeping a copy), and creates the active file from the current
/// tables. Returns 0 if everything is correct, 7 otherwise.
int check_setup(const DeployOptions& options);

}  // namespace pssp
