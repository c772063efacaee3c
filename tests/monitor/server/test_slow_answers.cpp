#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

#include "monitor/server/slow_answers.h"

using namespace pssp;

TEST_CASE("the queue of slow answers is bounded, and a server that ends drops it") {
  std::atomic<int> computed = 0;
  std::size_t offered = 0;
  {
    SlowAnswers answers;
    const auto task = [&] {
      ++computed;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    };
    while (answers.offer(task)) ++offered;
    CHECK(offered >= SlowAnswers::most_waiting);
  }
  CHECK(static_cast<std::size_t>(computed) < offered);
}
