#include <catch2/catch.hpp>

#include "monitor/api/query.h"

using namespace pssp;

namespace {

int status_of(std::string_view target) {
  try {
    const Target parsed(target);
    return 200;
  } catch (const ApiError& error) {
    CHECK_FALSE(error.hint.empty());
    return error.status;
  }
}

}  // namespace

TEST_CASE("targets are split at slashes and decoded") {
  const Target target("/api/v1/ports/0x1/2?name=a%20b&sort=guid&q=c+d#mark");
  CHECK(target.path() == std::vector<std::string>{"api", "v1", "ports", "0x1", "2"});
  REQUIRE(target.find("name") != nullptr);
  CHECK(*target.find("name") == "a b");
  CHECK(*target.find("q") == "c d");
  CHECK(target.find("limit") == nullptr);
  CHECK(Target("/").path().empty());
}

TEST_CASE("invalid targets are refused") {
  CHECK(status_of("/" + std::string(4095, 'a')) == 200);
  CHECK(status_of("/" + std::string(4096, 'a')) == 414);
  CHECK(status_of("/a%00b") == 400);
  CHECK(status_of("/a%0") == 400);
  CHECK(status_of("/a%zz") == 400);
  CHECK(status_of("/a?b=%1b") == 400);
  CHECK(status_of("/a?b=1&b=2") == 400);
  CHECK(status_of("a") == 400);
  CHECK(status_of("http://elsewhere/") == 400);
  CHECK(status_of("") == 400);
}

TEST_CASE("parameters outside their range and unknown parameters are refused") {
  const Target target("/x?limit=-1&points=7&flag=on&sort=up&fields=a,b");
  CHECK_THROWS_AS(target.number("limit", 5, 1, 10), ApiError);
  CHECK(target.number("points", 5, 1, 10) == 7);
  CHECK_THROWS_AS(target.number("points", 5, 1, 6), ApiError);
  CHECK(target.number("absent", 5, 1, 10) == 5);
  CHECK(target.flag("flag", false));
  CHECK_THROWS_AS(target.flag("sort", false), ApiError);
  CHECK(target.choice("absent", {"first", "second"}) == "first");
  CHECK_THROWS_AS(target.choice("sort", {"first", "second"}), ApiError);
  CHECK(target.list("fields") == std::vector<std::string>{"a", "b"});
  CHECK_NOTHROW(target.allow({"limit", "points", "flag", "sort", "fields"}));
  CHECK_THROWS_AS(target.allow({"limit"}), ApiError);
}

TEST_CASE("GUIDs and port numbers are parsed strictly") {
  CHECK(parse_guid("0x1F") == 0x1f);
  for (const char* bad : {"", "0x", "1f", "0xZZ", "0x12345678901234567", "0x1 "}) {
    CHECK_THROWS_AS(parse_guid(bad), ApiError);
  }
  CHECK(parse_port_number("254") == 254);
  for (const char* bad : {"", "0", "255", "999", "-1", "1a"}) {
    CHECK_THROWS_AS(parse_port_number(bad), ApiError);
  }
}
