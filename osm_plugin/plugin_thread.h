#pragma once

// Threads of the plugin inside opensm.

#include <functional>
#include <thread>

namespace pssp {

/// Starts a thread that gets none of opensm's signals: OpenSM's own threads handle these. `name`
/// has at most 15 characters; `top -H` and debuggers show it. `work` must not throw. Throws
/// std::system_error if no more threads can be created.
std::jthread start_plugin_thread(const char* name, std::function<void(std::stop_token)> work);

}  // namespace pssp
