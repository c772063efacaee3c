#include <catch2/catch.hpp>

#include "base/error.h"
#include "fabric/nodes/node_name_map.h"

namespace pssp {
namespace {

TEST_CASE("node names are read with and without quotes") {
  const NodeNameMap names = parse_node_name_map(
      "# our switches\r\n"
      "0x0002c90200423e10 \"leaf 1 # left\"  # a comment\n"
      "\n  0X2 spine two # another\n"
      "0x3\t\"a\"",
      "names");
  CHECK(names.size() == 3);
  CHECK(names.at(0x0002c90200423e10) == "leaf 1 # left");
  CHECK(names.at(2) == "spine two");
  CHECK(names.at(3) == "a");
  CHECK(parse_node_name_map("", "names").empty());
}

TEST_CASE("invalid lines of a node name map are refused with their number") {
  for (const char* line :
       {"leaf 1", "0x", "0x12", "0x12 ", "0x12\"a\"", "0x12 \"a", "0x12 \"\"", "0x12 \"a\" b",
        "12 \"a\"", "0x0 \"a\"", "0x12 # a", "0x11112222333344445 \"a\"", "0x1 \"again\""}) {
    INFO(line);
    CHECK_THROWS_WITH(parse_node_name_map(std::string("0x1 \"a\"\n") + line, "names"),
                      Catch::StartsWith("names:2: "));
  }
  CHECK_THROWS_AS(read_node_name_map("/nonexistent"), Error);
}

}  // namespace
}  // namespace pssp
