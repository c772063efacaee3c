#pragma once

// Helpers for the tests of congestion control: errors as text and parameter files as strings.

#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "congestion/parameter_file.h"
#include "congestion/parameters.h"

namespace pssp::test {

/// "exit code: message" of the Error that the action throws. Fails the test if it throws none.
inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return std::to_string(error.exit_code()) + ": " + error.what();
  }
  FAIL("no error");
  return {};
}

inline CongestionParameters parsed(std::string_view text) {
  return parse_congestion_parameters(text, "f.cc");
}

inline std::string refusal(std::string_view text) {
  INFO(text);
  return error_of([&] { static_cast<void>(parsed(text)); });
}

}  // namespace pssp::test
