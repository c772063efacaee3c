#pragma once

// Long work for a notebook: without the lock of the interpreter, so that other threads of Python go
// on, and so that Ctrl-C ends the wait for it.

#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/stop_signal.h"

namespace pssp {

/// Does `work` on a thread of its own and waits for it without the lock of the interpreter, which
/// the caller holds. What it throws is thrown here. `work` and what it holds are gone, as a rule in
/// that other thread, when this returns: it may hold nothing of Python's.
///
/// When a signal's handler of Python raises (Ctrl-C), so does this, within a twentieth of a second:
/// the work is asked to stop, and what cannot be asked goes on to its end, for no one.
void run_interruptibly(std::function<void(const StopSignal&)> work);

/// The same of work with a result, work(const StopSignal&).
template <class Work>
auto interruptibly(Work work) {
  using Result = std::invoke_result_t<Work, const StopSignal&>;
  auto result = std::make_shared<std::optional<Result>>();
  run_interruptibly([result, work = std::move(work)](const StopSignal& stop) mutable {
    result->emplace(work(stop));
  });
  return *std::move(*result);
}

/// Waits for all work that goes on for no one; for the end of the interpreter.
void await_abandoned_work();

}  // namespace pssp
