#include <catch2/catch.hpp>

#include "evaluator/report/csv_field.h"

using namespace pssp;

TEST_CASE("names with commas and quotes are one field") {
  CHECK(csv_field("node-1") == "node-1");
  CHECK(csv_field("a,b") == "\"a,b\"");
  CHECK(csv_field("a\"b") == "\"a\"\"b\"");
  CHECK(csv_field("").empty());
}

TEST_CASE("no name is a formula of a spreadsheet, nor commands a terminal") {
  CHECK(csv_field("=1+2") == "'=1+2");
  CHECK(csv_field("+1") == "'+1");
  CHECK(csv_field("-1,2") == "\"'-1,2\"");
  CHECK(csv_field("@SUM(A1)") == "'@SUM(A1)");
  CHECK(csv_field("\t=1") == " =1");
  CHECK(csv_field("a\x1b[2Jb\nc") == "a [2Jb c");
}
