#include "monitor/live/discovery_thread.h"

#include <utility>

namespace pssp {

namespace {

/// A fabric that flaps makes many wishes.
constexpr std::chrono::seconds between_walks{2};

}  // namespace

DiscoveryThread::DiscoveryThread(std::function<DiscoveredFabric()> discover,
                                 std::chrono::seconds interval)
    : discover_(std::move(discover)), interval_(interval), thread_([this] { work(); }) {}

DiscoveryThread::~DiscoveryThread() {
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void DiscoveryThread::wish() {
  {
    const std::scoped_lock lock(mutex_);
    wished_ = true;
  }
  changed_.notify_all();
}

std::optional<DiscoveryResult> DiscoveryThread::take() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(result_, std::nullopt);
}

bool DiscoveryThread::wait_for_work() {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, between_walks, [this] { return ending_; });
  changed_.wait_for(lock, interval_ - std::min(interval_, between_walks),
                    [this] { return ending_ || wished_; });
  wished_ = false;
  return !ending_;
}

void DiscoveryThread::work() {
  while (wait_for_work()) {
    DiscoveryResult result;
    try {
      result.fabric = discover_();
    } catch (const std::exception& error) {
      result.failure = error.what();
    }
    const std::scoped_lock lock(mutex_);
    result_ = std::move(result);
  }
}

}  // namespace pssp
