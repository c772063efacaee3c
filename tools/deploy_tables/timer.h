#pragma once

// What takes a change back that no one confirms: a transient timer of systemd, or a process of its
// own.

#include <string>

#include "tools/deploy_tables/state_folder.h"

namespace pssp {

/// Starts it; it is in force when this returns. `id`: of the change. `reload`: the command of
/// --reload, or empty; the timer has it on its own command line. Returns its name ("unit NAME",
/// "process PID START"). Throws Error(output) where neither can be started.
std::string start_timer(const StateFolder& state, const std::string& id, const BootTime& deadline,
                        const std::string& reload);

bool timer_is_in_force(const std::string& timer);

/// No harm where it is over.
void stop_timer(const std::string& timer);

/// For the process of its own: says that it is there, and sleeps until the deadline. False where
/// the change was confirmed or taken back before.
bool wait_as_timer(const StateFolder& state, const std::string& id, const BootTime& deadline);

}  // namespace pssp
