#pragma once

// Delivers notifications in order, on a thread of its own, as often as it takes.

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
  std::chrono::milliseconds first_pause{1'000};  ///< after the first failure; doubled after each
  std::chrono::milliseconds longest_pause{300'000};
};

class DeliveryQueue {
 public:
  /// All functions are called on the thread of the queue, and must not throw, but for `deliver`.
  struct Functions {
    Deliver deliver;
    std::function<void(const Notification&)> delivered;  ///< also after the receiver refused it
    std::function<void(const std::string&)> log;
  };

  /// `receiver` is for messages: "the webhook".
  DeliveryQueue(std::string receiver, Functions functions, const DeliveryLimits& limits = {});
  DeliveryQueue(const DeliveryQueue&) = delete;
  DeliveryQueue& operator=(const DeliveryQueue&) = delete;

  /// Never waits; false: as many wait as may. Any thread.
  bool offer(Notification notification);
  /// Why notifications wait; empty: none has failed since the last that was delivered. Any thread.
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
  std::jthread thread_;  // last, so that it ends first
};

}  // namespace pssp
