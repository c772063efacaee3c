// One thread is enough: two answers at the same time would both read the database, and gain little.

#include "monitor/server/slow_answers.h"

#include <utility>

namespace pssp {

SlowAnswers::SlowAnswers() : thread_([this](const std::stop_token& stop) { work(stop); }) {}

bool SlowAnswers::offer(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    if (tasks_.size() >= most_waiting) return false;
    tasks_.push_back(std::move(task));
  }
  wake_.notify_one();
  return true;
}

void SlowAnswers::work(const std::stop_token& stop) {
  for (;;) {
    std::function<void()> task;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, stop, [&] { return !tasks_.empty(); });
      if (stop.stop_requested()) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task();
  }
}

}  // namespace pssp
