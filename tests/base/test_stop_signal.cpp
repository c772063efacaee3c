#include <catch2/catch.hpp>
#include <chrono>
#include <stop_token>

#include "base/stop_signal.h"

using namespace pssp;
using std::chrono::steady_clock;

TEST_CASE("work that nobody can stop is not stopped") {
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

TEST_CASE("what was stopped says so by the type of its error") {
  const StopSignal always([] { return true; });
  try {
    always.check("engine pssp");
    FAIL("not stopped");
  } catch (const Stopped& error) {
    CHECK_THAT(error.what(), Catch::StartsWith("engine pssp: stopped"));
  }
}
