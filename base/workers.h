#pragma once

// Runs tasks concurrently on a limited number of threads.

#include <cstddef>
#include <functional>

namespace pssp {

/// Calls task(0) to task(count - 1), each once, on at most `workers` threads: the calling one, and
/// others that end before the function returns. Tasks begin in order; with one worker (or 0) no
/// thread is started. Uses fewer threads if the system refuses more.
///
/// Throws the exception of the failing task with the lowest number, independent of the number of
/// threads; later tasks may be skipped. Starting a thread takes about ten microseconds.
void run_tasks(unsigned workers, std::size_t count, const std::function<void(std::size_t)>& task);

/// For programs that may use the whole machine: the requested number, or for 0 the number of
/// processors. At least 1.
unsigned workers_or_all(unsigned asked_for);

}  // namespace pssp
