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

/// The file before becomes the active one again, the manager is told, the switches are read. Under
/// the lock. `previous`: in history/; it may be there no more, if it is active already. Returns
/// what went wrong after the file was put back; empty: nothing.
std::string go_back(const StateFolder& state, const std::string& previous,
                    const ManagerOptions& manager, const PortOptions& port,
                    const std::string& m_key_file);

}  // namespace pssp
