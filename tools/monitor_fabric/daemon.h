#pragma once

// Runs the daemon from its start to SIGTERM.

#include <functional>
#include <string>

#include "monitor/configuration/configuration.h"

namespace pssp {

/// Serves until SIGTERM or SIGINT. SIGHUP calls `read_again`, SIGUSR1 reads the topology again.
/// Returns the exit code. Throws Error if it cannot start, or if the fabric thread ended with an
/// error.
int run_daemon(const MonitorConfiguration& configuration,
               const std::function<MonitorConfiguration()>& read_again);

/// The token in a private file: its first line, with at least 16 characters. Throws Error(usage) if
/// it is invalid, Error(unreadable_input).
std::string read_token(const std::string& file);

}  // namespace pssp
