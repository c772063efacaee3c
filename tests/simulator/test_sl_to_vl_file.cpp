#include <catch2/catch.hpp>

#include "base/error.h"
#include "simulator/sl_to_vl_file.h"

using namespace pssp;
using Catch::Matchers::Contains;

TEST_CASE("an SL-to-VL file has sixteen lanes on any number of lines") {
  const std::vector<std::uint8_t> lanes =
      parse_sl_to_vl("0 1 2 3 # four\n\n4 5 6 7 8 9\t10 11 12 13\n14\n0", "file");
  REQUIRE(lanes.size() == 16);
  for (std::uint8_t level = 0; level < 15; ++level) CHECK(lanes[level] == level);
  CHECK(lanes[15] == 0);
}

TEST_CASE("a malformed SL-to-VL file is refused with the line or the number of lanes") {
  const auto refused = [](const char* text, const std::string& part) {
    CHECK_THROWS_WITH(parse_sl_to_vl(text, "file"), Contains(part));
  };
  refused("0 1 2 3\n4 5 15 7\n", "file:2:");
  refused("0 1 2 3\n\n4 -5 6 7\n", "file:3:");
  refused("0 1 two\n", "file:1:");
  refused("", "0 lanes; expected 16");
  refused("0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n", "17 lanes; expected 16");
}
