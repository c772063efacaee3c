#pragma once

// The life of the daemon, from its start to SIGTERM.

#include <functional>

#include "monitor/configuration/configuration.h"

namespace pssp {

/// Serves until SIGTERM or SIGINT. SIGHUP calls `read_again`, SIGUSR1 reads the topology anew. The
/// exit code. Throws Error where it cannot begin, and where the fabric thread ended by an error.
int run_daemon(const MonitorConfiguration& configuration,
               const std::function<MonitorConfiguration()>& read_again);

}  // namespace pssp
