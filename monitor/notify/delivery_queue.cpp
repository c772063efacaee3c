#include "monitor/notify/delivery_queue.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace pssp {

DeliveryQueue::DeliveryQueue(std::string receiver, Functions functions,
                             const DeliveryLimits& limits)
    : receiver_(std::move(receiver)),
      functions_(std::move(functions)),
      limits_(limits),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

bool DeliveryQueue::offer(Notification notification) {
  {
    const std::scoped_lock lock(mutex_);
    if (waiting_.size() >= limits_.most_waiting) return false;
    waiting_.push_back(std::move(notification));
  }
  wake_.notify_one();
  return true;
}

std::string DeliveryQueue::problem() const {
  const std::scoped_lock lock(mutex_);
  if (problem_.empty()) return {};
  return fmt::format("{}: {} notification{} waiting: {}", receiver_, waiting_.size(),
                     waiting_.size() == 1 ? "" : "s", problem_);
}

DeliveryResult DeliveryQueue::try_once(const Notification& notification,
                                       const std::stop_token& stop) const {
  try {
    return functions_.deliver(notification, StopSignal::by(stop));
  } catch (const Stopped&) {
    return {"the monitor is stopping", false};
  } catch (const Error& error) {
    return {error.what(), false};
  }
}

void DeliveryQueue::finish(const Notification& notification, const DeliveryResult& result) {
  if (result.is_refused) {
    functions_.log(fmt::format("{}: notification '{}' was refused and will not be repeated: {}",
                               receiver_, notification.incident, result.failure));
  }
  functions_.delivered(notification);
  bool had_problem = false;
  {
    const std::scoped_lock lock(mutex_);
    had_problem = !std::exchange(problem_, {}).empty();
    waiting_.pop_front();
  }
  if (had_problem) functions_.log(receiver_ + ": notifications are delivered again");
}

void DeliveryQueue::fail(const DeliveryResult& result, std::chrono::milliseconds pause) {
  bool is_other = false;
  {
    const std::scoped_lock lock(mutex_);
    is_other = problem_ != result.failure;
    problem_ = result.failure;
  }
  if (!is_other) return;
  functions_.log(fmt::format("{}: a notification was not delivered: {}; next attempt in {:.1f} s",
                             receiver_, result.failure,
                             std::chrono::duration<double>(pause).count()));
}

void DeliveryQueue::run(const std::stop_token& stop) {
  std::chrono::milliseconds pause = limits_.first_pause;
  for (;;) {
    std::unique_lock lock(mutex_);
    if (!wake_.wait(lock, stop, [this] { return !waiting_.empty(); })) return;
    const Notification notification = waiting_.front();
    lock.unlock();
    const DeliveryResult result = try_once(notification, stop);
    if (stop.stop_requested() && !result.failure.empty()) return;
    if (result.failure.empty() || result.is_refused) {
      finish(notification, result);
      pause = limits_.first_pause;
      continue;
    }
    fail(result, pause);
    lock.lock();
    wake_.wait_for(lock, stop, pause, [] { return false; });
    pause = std::min(2 * pause, limits_.longest_pause);
  }
}

}  // namespace pssp
