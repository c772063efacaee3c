#include <catch2/catch.hpp>

#include "base/natural_order.h"

TEST_CASE("runs of digits are compared as numbers") {
  using pssp::is_naturally_less;
  CHECK(is_naturally_less("leaf 2", "leaf 10"));
  CHECK_FALSE(is_naturally_less("leaf 10", "leaf 2"));
  CHECK(is_naturally_less("leaf", "leaf 1"));
  CHECK(is_naturally_less("a9z", "b1"));
  CHECK_FALSE(is_naturally_less("n07", "n7"));
  CHECK_FALSE(is_naturally_less("n7", "n07"));
}
