#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "monitor/api/page_builder.h"

namespace pssp {
namespace {

TEST_CASE("a page with many waiting clients is built once, and no client is refused") {
  std::atomic<int> made = 0;
  std::promise<void> first_begun, first_may_end;
  std::promise<std::vector<std::string>> all;
  std::vector<std::string> got;
  const auto make = [&](const std::string& text) {
    return [&made, text] {
      ++made;
      ApiAnswer answer;
      answer.body = std::make_shared<const std::string>(text);
      return answer;
    };
  };
  const auto take = [&](const ApiAnswer& answer) { got.push_back(*answer.body); };
  PageBuilder builder;
  builder.ask(
      "held",
      [&] {
        first_begun.set_value();
        first_may_end.get_future().wait();
        return ApiAnswer{};
      },
      [](const ApiAnswer&) {});
  first_begun.get_future().wait();
  constexpr int asking = 1000;
  for (int i = 0; i < asking; ++i) {
    builder.ask("a", make("page a"), take);
    builder.ask("b", make("page b"), take);
  }
  builder.ask("last", make("end"), [&](const ApiAnswer&) { all.set_value(got); });
  first_may_end.set_value();
  const std::vector<std::string> taken = all.get_future().get();
  CHECK(made == 3);
  CHECK(std::ranges::count(taken, "page a") == asking);
  CHECK(std::ranges::count(taken, "page b") == asking);
}

TEST_CASE("a page builder that ends does not build the pages in its queue") {
  constexpr int asked = 200;
  std::atomic<int> made = 0;
  {
    PageBuilder builder;
    for (int i = 0; i < asked; ++i) {
      builder.ask(
          std::to_string(i),
          [&] {
            ++made;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            return ApiAnswer{};
          },
          [](const ApiAnswer&) {});
    }
  }
  CHECK(made < asked);
}

}  // namespace
}  // namespace pssp
