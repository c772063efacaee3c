#pragma once

// A thread for pages that many ask for and that are large: each is made once for all who wait.

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
  /// Waits for the page that is being made; those behind it are not made.
  ~PageBuilder() = default;

  /// Pages are made in the order in which they were first asked for; who asks for one that waits
  /// already gets the same. There must be few keys, for no one is refused. Neither function may
  /// throw; both are called on the desk's thread.
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
  std::jthread thread_;  // last, so that it ends first
};

}  // namespace pssp
