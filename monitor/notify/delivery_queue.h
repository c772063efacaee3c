#pragma once

// Delivers notifications in order on its own thread, and retries until they are accepted or
// refused.

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "monitor/notify/delivery.h"

namespace pssp {

struct DeliveryLimits {
  std::size_t most_waiting = 1000;
  /// after the first failure; doubled after each further one
  std::chrono::milliseconds first_pause{1'000};
  std::chrono::milliseconds longest_pause{300'000};
};

class DeliveryQueue {
 public:
  /// All functions are called on the thread of the queue. Only `deliver` may throw.
  struct Functions {
    Deliver deliver;
    /// also called if the receiver refused the notification
    std::function<void(const Notification&)> delivered;
    std::function<void(const std::string&)> log;
  };

  /// `receiver` names the receiver in messages, for example "the webhook".
  DeliveryQueue(std::string receiver, Functions functions, const DeliveryLimits& limits = {});
  DeliveryQueue(const DeliveryQueue&) = delete;
  DeliveryQueue& operator=(const DeliveryQueue&) = delete;

  /// Queues a notification without blocking. Returns false if the queue is full. Thread-safe.
  bool offer(Notification notification);
  /// The reason why notifications are waiting; empty if there was no failure since the last
  /// delivery. Thread-safe.
  std::string problem() const;

 private:
  void run(const std::stop_token& stop);
  DeliveryResult try_once(const Notification& notification, const std::stop_token& stop) const;
  void finish(const Notification& notification, const DeliveryResult& result);
  void fail(const DeliveryResult& result, std::chrono::milliseconds pause);

  const std::string receiver_;
  const Functions functions_;
  const DeliveryLimits limits_;
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<Notification> waiting_;  // the first one is being delivered
  std::string problem_;
  std::jthread thread_;  // the last member, so that the thread ends before the others are destroyed
};

}  // namespace pssp
