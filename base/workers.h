#pragma once

// Tasks side by side, on no more threads than the caller was granted.

#include <cstddef>
#include <functional>

namespace pssp {

/// Calls task(0) to task(count - 1), each once, on at most `workers` threads: the calling one, and
/// others that have ended when this returns. Tasks begin in their order; with one worker (or 0) no
/// thread is started and each ends before the next begins. Fewer threads do where the system
/// refuses more.
///
/// Throws what the first of the failing tasks threw, first by number, whatever the number of
/// threads; tasks behind it may have been left out. Starting a thread takes some ten microseconds.
void run_tasks(unsigned workers, std::size_t count, const std::function<void(std::size_t)>& task);

/// For programs that may take the whole machine: what was asked for, or all of its processors where
/// that is 0. At least 1.
unsigned workers_or_all(unsigned asked_for);

}  // namespace pssp
