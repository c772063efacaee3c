#include <atomic>
#include <catch2/catch.hpp>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/workers.h"

using pssp::run_tasks;

TEST_CASE("each task is called once, whatever the number of workers") {
  for (const unsigned workers : {0U, 1U, 2U, 3U, 64U}) {
    for (const std::size_t count : {0U, 1U, 2U, 17U}) {
      std::vector<int> calls(count, 0);
      run_tasks(workers, count, [&](std::size_t i) { ++calls[i]; });
      CHECK(calls == std::vector<int>(count, 1));
    }
  }
}

TEST_CASE("one worker is the calling thread and runs the tasks in order") {
  const std::thread::id caller = std::this_thread::get_id();
  std::vector<std::size_t> order;
  run_tasks(1, 5, [&](std::size_t i) {
    CHECK(std::this_thread::get_id() == caller);
    order.push_back(i);
  });
  CHECK(order == std::vector<std::size_t>{0, 1, 2, 3, 4});
}

TEST_CASE("run_tasks uses at most the given number of threads") {
  for (const unsigned workers : {2U, 3U}) {
    std::mutex mutex;
    std::set<std::thread::id> threads;
    std::atomic<unsigned> working{0}, most{0};
    run_tasks(workers, 200, [&](std::size_t) {
      const unsigned now = ++working;
      for (unsigned seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
      }
      {
        const std::lock_guard lock(mutex);
        threads.insert(std::this_thread::get_id());
      }
      std::this_thread::yield();
      --working;
    });
    CHECK(most <= workers);
    CHECK(threads.size() <= workers);
  }
}

TEST_CASE("run_tasks throws the error of the failed task with the lowest number") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    for (int repeat = 0; repeat < 50; ++repeat) {
      const auto fail_from_three_on = [](std::size_t i) {
        if (i == 3) std::this_thread::yield();
        if (i >= 3) throw std::runtime_error(std::to_string(i));
      };
      CHECK_THROWS_WITH(run_tasks(workers, 8, fail_from_three_on), "3");
    }
  }
}

TEST_CASE("one worker skips the tasks after a failed task") {
  std::size_t calls = 0;
  CHECK_THROWS(run_tasks(1, 9, [&](std::size_t i) {
    ++calls;
    if (i == 4) throw std::runtime_error("no");
  }));
  CHECK(calls == 5);
}
