#include <catch2/catch.hpp>
#include <limits>

#include "base/duration_words.h"

using pssp::duration_words;

TEST_CASE("durations are said as people say them", "[base]") {
  CHECK(duration_words(-1) == "less than a second");
  CHECK(duration_words(std::numeric_limits<double>::quiet_NaN()) == "less than a second");
  CHECK(duration_words(0.49) == "less than a second");
  CHECK(duration_words(1) == "1 second");
  CHECK(duration_words(59.6) == "60 seconds");
  CHECK(duration_words(119.4) == "119 seconds");
  CHECK(duration_words(119.6) == "2 minutes");
  CHECK(duration_words(180) == "3 minutes");
  CHECK(duration_words(3600) == "1 hour");
  CHECK(duration_words(5400) == "90 minutes");
  CHECK(duration_words(7199) == "2 hours");
  CHECK(duration_words(9000) == "2.5 hours");
  CHECK(duration_words(86'400) == "24 hours");
  CHECK(duration_words(2 * 86'400) == "2 days");
  CHECK(duration_words(30.4 * 86'400) == "30 days");
  CHECK(duration_words(1e9) == "11574 days");
}
