#pragma once

// Runs long work without the interpreter lock, so that other Python threads continue, and so that
// Ctrl-C ends the wait.

#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/stop_signal.h"

namespace pssp {

/// Runs `work` in a new thread and waits for it without the interpreter lock, which the caller
/// holds. Rethrows exceptions of `work`. Usually the new thread destroys `work`, so `work` must not
/// own Python objects.
///
/// If a Python signal handler raises (Ctrl-C), this function throws within 50 ms and requests the
/// work to stop. Work that cannot be stopped continues to its end, and its result is discarded.
void run_interruptibly(std::function<void(const StopSignal&)> work);

/// The same for work with a result: calls work(const StopSignal&).
template <class Work>
auto interruptibly(Work work) {
  using Result = std::invoke_result_t<Work, const StopSignal&>;
  auto result = std::make_shared<std::optional<Result>>();
  run_interruptibly([result, work = std::move(work)](const StopSignal& stop) mutable {
    result->emplace(work(stop));
  });
  return *std::move(*result);
}

/// Waits for all interrupted work that is still running. Called when the interpreter exits.
void await_abandoned_work();

}  // namespace pssp
