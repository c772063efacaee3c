#pragma once

// Undoes an unconfirmed change: a transient timer of systemd, or a separate process.

#include <string>

#include "tools/deploy_tables/state_folder.h"

namespace pssp {

/// Starts the timer before returning. `id`: of the change. `reload`: the command of --reload, or
/// empty; the timer has it on its command line. Returns its name ("unit NAME", "process PID
/// START"). Throws Error(output) if neither can be started.
std::string start_timer(const StateFolder& state, const std::string& id, const BootTime& deadline,
                        const std::string& reload);

bool timer_is_in_force(const std::string& timer);

/// Does nothing if it is over.
void stop_timer(const std::string& timer);

/// For the separate process: reports readiness, and sleeps until the deadline. Returns false if the
/// change was confirmed or undone before.
bool wait_as_timer(const StateFolder& state, const std::string& id, const BootTime& deadline);

}  // namespace pssp
