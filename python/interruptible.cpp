// Python runs signal handlers only in its main thread, between two instructions of the interpreter.
// Work in the main thread would have to check for signals itself, with the interpreter lock.
// Therefore another thread does the work, and the calling thread checks for signals twenty times a
// second. Starting a thread takes about ten microseconds.
//
// Some work cannot be stopped, and no work stops at once, so an interrupted call does not wait for
// its thread. The work shares ownership of all objects that it reads. The process must not end
// before the threads, so the module makes Python wait for them when the interpreter exits.

#include "python/interruptible.h"

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace pssp {
namespace {

constexpr std::chrono::milliseconds poll_interval{50};

struct Job {
  std::function<void(const StopSignal&)> work;
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::condition_variable ended;
  bool is_done = false;
  std::exception_ptr failure;

  /// Runs the work. Called once, by one thread.
  void run() {
    std::exception_ptr thrown;
    try {
      work(StopSignal([this] { return stop.load(std::memory_order_relaxed); }));
    } catch (...) {
      thrown = std::current_exception();
    }
    work = nullptr;
    const std::scoped_lock lock(mutex);
    failure = thrown;
    is_done = true;
    ended.notify_all();
  }
  bool wait() {
    std::unique_lock lock(mutex);
    return ended.wait_for(lock, poll_interval, [this] { return is_done; });
  }
};

struct Abandoned {
  std::shared_ptr<Job> job;
  std::thread thread;
};
/// Access requires the interpreter lock. Never destroyed, because a thread may outlive all static
/// objects.
std::vector<Abandoned>& abandoned() {
  static auto* const all = new std::vector<Abandoned>;
  return *all;
}

/// Requests the job to stop and keeps its thread. Joins earlier abandoned threads that have ended.
void abandon(std::shared_ptr<Job> job, std::thread thread) {
  job->stop = true;
  std::erase_if(abandoned(), [](Abandoned& each) {
    {
      const std::scoped_lock lock(each.job->mutex);
      if (!each.job->is_done) return false;
    }
    each.thread.join();
    return true;
  });
  abandoned().push_back({std::move(job), std::move(thread)});
}

}  // namespace

void run_interruptibly(std::function<void(const StopSignal&)> work) {
  const auto job = std::make_shared<Job>();
  job->work = std::move(work);
  std::thread thread;
  try {
    thread = std::thread([job] { job->run(); });
  } catch (const std::system_error&) {
    // The system cannot start another thread: runs the work here, without interruption.
    const pybind11::gil_scoped_release released;
    job->run();
  }
  for (bool done = false; !done;) {
    {
      const pybind11::gil_scoped_release released;
      done = job->wait();
      if (done && thread.joinable()) thread.join();
    }
    if (PyErr_CheckSignals() == 0) continue;
    if (!done) abandon(job, std::move(thread));
    throw pybind11::error_already_set();
  }
  if (job->failure) std::rethrow_exception(job->failure);
}

void await_abandoned_work() {
  std::vector<Abandoned> left = std::move(abandoned());
  abandoned().clear();
  const pybind11::gil_scoped_release released;
  for (Abandoned& each : left) each.thread.join();
}

}  // namespace pssp
