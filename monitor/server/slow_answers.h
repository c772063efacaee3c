#pragma once

// A thread for answers that take long, with a bounded queue.

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace pssp {

class SlowAnswers {
 public:
  static constexpr std::size_t most_waiting = 32;

  SlowAnswers();
  SlowAnswers(const SlowAnswers&) = delete;
  SlowAnswers& operator=(const SlowAnswers&) = delete;
  /// Completes the current answer and drops the others in the queue.
  ~SlowAnswers() = default;

  /// False if the queue is full. The task must not throw.
  bool offer(std::function<void()> task);

 private:
  void work(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<std::function<void()>> tasks_;
  std::jthread thread_;  // last member, so that it is destroyed first
};

}  // namespace pssp
