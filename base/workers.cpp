// Threads take the next task from one counter, so all tasks before a running one have begun.
// Therefore, the first failure by number does not depend on the number of threads: when a task
// fails, each earlier one is finished or running, and is waited for.

#include "base/workers.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace pssp {
namespace {

class TaskQueue {
 public:
  TaskQueue(std::size_t count, const std::function<void(std::size_t)>& task)
      : count_(count), task_(task), first_failed_(count) {}

  /// Runs tasks until none is left or one has failed.
  void work() noexcept {
    while (!has_failed_) {
      const std::size_t number = next_++;
      if (number >= count_) return;
      try {
        task_(number);
      } catch (...) {
        fail(number);
      }
    }
  }

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void fail(std::size_t number) noexcept {
    const std::lock_guard lock(mutex_);
    has_failed_ = true;
    if (number >= first_failed_) return;
    first_failed_ = number;
    failure_ = std::current_exception();
  }

  std::size_t count_;
  const std::function<void(std::size_t)>& task_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> has_failed_{false};
  std::mutex mutex_;
  std::size_t first_failed_;
  std::exception_ptr failure_;
};

}  // namespace

void run_tasks(unsigned workers, std::size_t count, const std::function<void(std::size_t)>& task) {
  TaskQueue queue(count, task);
  {
    std::vector<std::jthread> helpers;
    const std::size_t wanted = std::min<std::size_t>(workers, count);
    helpers.reserve(wanted);
    try {
      while (helpers.size() + 1 < wanted) helpers.emplace_back([&queue] { queue.work(); });
    } catch (const std::system_error&) {
      // The system refuses more threads: the existing ones do the work.
    }
    queue.work();
  }
  queue.rethrow();
}

unsigned workers_or_all(unsigned asked_for) {
  return asked_for != 0 ? asked_for : std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace pssp
