#pragma once

// A thread that builds large pages with many clients. Each page is built once for all waiting
// requests.

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "monitor/api/request.h"

namespace pssp {

class PageBuilder {
 public:
  using Make = std::function<ApiAnswer()>;
  using Take = std::function<void(const ApiAnswer&)>;

  PageBuilder();
  PageBuilder(const PageBuilder&) = delete;
  PageBuilder& operator=(const PageBuilder&) = delete;
  /// Completes the current page and drops the others in the queue.
  ~PageBuilder() = default;

  /// Pages are built in the order of their first request. A request for a page that is already in
  /// the queue gets the same page. There must be few keys, because no request is refused. Neither
  /// function may throw; both are called on the thread of the builder.
  void ask(const std::string& key, Make make, Take take);

 private:
  struct Order {
    std::string key;
    Make make;
    std::vector<Take> takers;
  };
  void work(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<Order> orders_;
  std::jthread thread_;  // last member, so that it is destroyed first
};

}  // namespace pssp
