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

/// Goes back to the tables of before, under the lock, from wherever an earlier try ended: notes
/// that in `pending`, puts the file of before into its place, tells the manager and reads the
/// switches. Returns what is not as it should be; then `pending` stays, and the next call goes on.
/// Empty: the switches hold the tables of before, and `pending` and its timer are gone.
std::string go_back(const StateFolder& state, Pending pending, const PortOptions& port);

}  // namespace pssp
