#pragma once

// Threads of the plugin inside opensm.

#include <functional>
#include <thread>

namespace pssp {

/// Starts a thread that gets none of opensm's signals: OpenSM's own threads handle these. `work`
/// must not throw. Throws std::system_error when there are no more threads.
std::jthread start_plugin_thread(std::function<void(std::stop_token)> work);

}  // namespace pssp
