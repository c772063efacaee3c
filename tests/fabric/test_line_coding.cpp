#include <catch2/catch.hpp>

#include "fabric/line_coding.h"

namespace pssp {
namespace {

double on_wire(const char* text) { return signalled_capacity(*parse_link_rate(text)).value(); }

TEST_CASE("the signaling rates are those of table 273 of the InfiniBand specification",
          "[fabric]") {
  CHECK(on_wire("1xSDR") == 2500);
  CHECK(on_wire("1xDDR") == 5000);
  CHECK(on_wire("1xQDR") == 10000);
  CHECK(on_wire("1xFDR10") == 10312.5);
  CHECK(on_wire("1xFDR") == Approx(14062.5).epsilon(1e-4));  // 13636 is 150 / 11 rounded
  CHECK(on_wire("1xEDR") == 25781.25);
  CHECK(on_wire("1xHDR") == 53125);
  CHECK(on_wire("1xNDR") == 106250);
  CHECK(on_wire("1xXDR") == 212500);
  CHECK(on_wire("4xEDR") == 103125);
  CHECK(on_wire("12xSDR") == 30000);
  CHECK_FALSE(signalled_capacity(LinkRate{}).has_value());
  CHECK_FALSE(signalled_capacity(LinkRate{4, 12345}).has_value());
}

}  // namespace
}  // namespace pssp
