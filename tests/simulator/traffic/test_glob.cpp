#include <catch2/catch.hpp>
#include <string>

#include "simulator/traffic/glob.h"

using namespace pssp;

TEST_CASE("a glob supports stars and question marks only") {
  CHECK(fits_glob("", ""));
  CHECK(fits_glob("", "**"));
  CHECK_FALSE(fits_glob("", "?"));
  CHECK(fits_glob("H111 -> H121", "H1*"));
  CHECK(fits_glob("H111 -> H121", "*H1?1"));
  CHECK(fits_glob("abcabd", "*ab?"));
  CHECK(fits_glob("aXbXc", "a*b*c"));
  CHECK_FALSE(fits_glob("H211", "H1*"));
  CHECK_FALSE(fits_glob("H111x", "H111"));
  CHECK_FALSE(fits_glob("H11", "H111"));
  CHECK_FALSE(fits_glob("h111", "H*"));
}

TEST_CASE("a glob with many stars that does not match is rejected quickly") {
  std::string glob;
  for (int i = 0; i < 200; ++i) glob += "*a";
  CHECK_FALSE(fits_glob(std::string(4000, 'a'), glob + "*b"));
  CHECK(fits_glob(std::string(4000, 'a'), glob + "*"));
}
