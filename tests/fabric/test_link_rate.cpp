#include <catch2/catch.hpp>

#include "fabric/link_rate.h"

using namespace pssp;

TEST_CASE("link rates are parsed and printed in the notation of ibnetdiscover", "[fabric]") {
  CHECK(parse_link_rate("4xQDR")->capacity() == 32000);
  CHECK(parse_link_rate("1xSDR")->capacity() == 2000);
  CHECK(parse_link_rate("12xDDR")->capacity() == 48000);
  CHECK(parse_link_rate("4xHDR")->capacity() == 200000);
  CHECK(parse_link_rate("2xNDR")->capacity() == 200000);
  CHECK(parse_link_rate("4xFDR10")->capacity() == 40000);
  CHECK(parse_link_rate("4xFDR")->capacity() == 54544);
  for (const char* text :
       {"1xSDR", "4xDDR", "8xQDR", "12xFDR10", "4xFDR", "4xEDR", "2xHDR", "4xNDR", "4xXDR"}) {
    CHECK(to_string(*parse_link_rate(text)) == text);
  }
}

TEST_CASE("invalid link rates are refused", "[fabric]") {
  for (const char* text : {"", "4", "4x", "xHDR", "3xHDR", "4XHDR", "4xhdr", "4xHDRx", "-4xHDR",
                           "400xHDR", "99999999999999999999xHDR", "???", "4x2.5"}) {
    CHECK_FALSE(parse_link_rate(text).has_value());
  }
  CHECK(to_string(LinkRate{}).empty());
  CHECK(to_string(LinkRate{4, 12345}).empty());
  CHECK_FALSE(LinkRate{}.stated());
}
