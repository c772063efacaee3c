#include <array>
#include <catch2/catch.hpp>
#include <string>

#include "base/closest_name.h"

using namespace pssp;

TEST_CASE("the edit distance counts inserted, removed and replaced letters") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("slack", "slak") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("detuor", "detour") == 2);
}

TEST_CASE("closest_name finds the known name that is closest to a misspelled name") {
  static constexpr std::array<std::string_view, 4> names{"require", "prefer", "ignore", "on"};
  CHECK(closest_name("requires", names) == "require");
  CHECK(closest_name("REQUIRE", names) == "require");
  CHECK(closest_name("perfer", names) == "prefer");
  CHECK(closest_name("onn", names) == "on");
  CHECK(closest_name("always", names).empty());
  CHECK(closest_name("1", names).empty());
  CHECK(closest_name("", names).empty());
  CHECK(closest_name(std::string(100'000, 'r'), names).empty());
  CHECK(closest_name("x", {}).empty());
  CHECK(did_you_mean("prefr", names) == "; did you mean prefer?");
  CHECK(did_you_mean("zzzzzz", names).empty());
}
