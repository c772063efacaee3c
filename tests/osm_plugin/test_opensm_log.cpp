#include <catch2/catch.hpp>
#include <string>

#include "osm_plugin/opensm_log.h"

using namespace pssp;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

TEST_CASE("every log line fits into OpenSM's buffer and has no control characters") {
  CHECK(fit_for_log("short") == "short");
  CHECK(fit_for_log("two\nlines\x1b[2J") == "two lines [2J");
  const std::string fits(longest_message, 'x');
  CHECK(fit_for_log(fits) == fits);
  for (const std::size_t size : {longest_message + 1, std::size_t{6000}, std::size_t{1} << 20}) {
    const std::string line = fit_for_log(std::string(size, 'x'));
    CHECK(line.size() <= longest_message);
    CHECK_THAT(line, StartsWith("xxx") && EndsWith(" more bytes)"));
  }
}

TEST_CASE("a log line is not cut inside a UTF-8 character") {
  for (std::size_t shift = 0; shift < 3; ++shift) {
    std::string message(shift, 'x');
    while (message.size() < 5000) message += "\u20ac";
    const std::string line = fit_for_log(message);
    const std::size_t end = line.find("... (");
    REQUIRE(end != std::string::npos);
    CHECK((end - shift) % 3 == 0);
  }
}
