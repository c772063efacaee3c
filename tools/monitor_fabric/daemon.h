#pragma once

// The life of the daemon, from its start to SIGTERM.

#include <functional>
#include <string>

#include "monitor/configuration/configuration.h"

namespace pssp {

/// Serves until SIGTERM or SIGINT. SIGHUP calls `read_again`, SIGUSR1 reads the topology again. The
/// exit code. Throws Error where it cannot begin, and where the fabric thread ended by an error.
int run_daemon(const MonitorConfiguration& configuration,
               const std::function<MonitorConfiguration()>& read_again);

/// The token in a file that no one else may read: its first line, of 16 characters at least. Throws
/// Error(usage) where it is none, Error(unreadable_input).
std::string read_token(const std::string& file);

}  // namespace pssp
