// Separate from the queue of slow answers (slow_answers.h): clients that fill that queue with
// requests for lists would otherwise block the metrics. Here, a request waits for at most one page
// of each key.

#include "monitor/api/page_builder.h"

#include <algorithm>
#include <utility>

namespace pssp {

PageBuilder::PageBuilder() : thread_([this](const std::stop_token& stop) { work(stop); }) {}

void PageBuilder::ask(const std::string& key, Make make, Take take) {
  {
    const std::lock_guard lock(mutex_);
    auto order = std::ranges::find(orders_, key, &Order::key);
    if (order == orders_.end()) {
      order = orders_.insert(orders_.end(), Order{key, std::move(make), {}});
    }
    order->takers.push_back(std::move(take));
  }
  wake_.notify_one();
}

void PageBuilder::work(const std::stop_token& stop) {
  for (;;) {
    Order order;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, stop, [&] { return !orders_.empty(); });
      if (stop.stop_requested()) return;
      order = std::move(orders_.front());
      orders_.pop_front();
    }
    const ApiAnswer made = order.make();
    for (const Take& take : order.takers) take(made);
  }
}

}  // namespace pssp
