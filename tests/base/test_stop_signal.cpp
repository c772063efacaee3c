#include <catch2/catch.hpp>
#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/stop_signal.h"

using namespace pssp;
using std::chrono::steady_clock;

TEST_CASE("work without a stop signal is not stopped") {
  const StopSignal never;
  CHECK_FALSE(never.asked());
  CHECK_NOTHROW(never.check("work"));
}

TEST_CASE("a stop token and a deadline stop work") {
  std::stop_source source;
  const StopSignal by_token = StopSignal::by(source.get_token());
  CHECK_FALSE(by_token.asked());
  source.request_stop();
  CHECK(by_token.asked());
  CHECK(StopSignal::at(steady_clock::now()).asked());
  CHECK_FALSE(StopSignal::at(steady_clock::now() + std::chrono::hours(1)).asked());
}

TEST_CASE("stopped work throws Stopped and names the work") {
  const StopSignal always([] { return true; });
  try {
    always.check("engine pssp");
    FAIL("not stopped");
  } catch (const Stopped& error) {
    CHECK_THAT(error.what(), Catch::StartsWith("engine pssp: stopped"));
  }
}

TEST_CASE("a stop signal reports the progress of the work") {
  std::vector<std::pair<std::string, std::optional<double>>> reported;
  const StopSignal signal =
      StopSignal().reporting_to([&](std::string_view work, std::optional<double> part) {
        reported.emplace_back(work, part);
      });
  const std::vector<int> all{1, 2, 3, 4};
  signal.check("first");
  for (const int& each : all) signal.check("second", each, all);
  REQUIRE(reported.size() == 5);
  CHECK(reported[0].first == "first");
  CHECK_FALSE(reported[0].second.has_value());
  CHECK(reported[3].first == "second");
  CHECK(reported[3].second == 0.5);
}

TEST_CASE("a stop signal reports progress before it stops the work") {
  unsigned reported = 0;
  const StopSignal signal =
      StopSignal([] { return true; }).reporting_to([&](std::string_view, std::optional<double>) {
        ++reported;
      });
  CHECK_THROWS_AS(signal.check("work"), Stopped);
  CHECK(reported == 1);
}
