#include <catch2/catch.hpp>

#include "evaluator/report/spreadsheet_field.h"

using namespace pssp;

TEST_CASE("names with commas and quotes are one field") {
  CHECK(spreadsheet_field("node-1") == "node-1");
  CHECK(spreadsheet_field("a,b") == "\"a,b\"");
  CHECK(spreadsheet_field("a\"b") == "\"a\"\"b\"");
  CHECK(spreadsheet_field("").empty());
}

TEST_CASE("no name is a formula of a spreadsheet, nor commands a terminal") {
  CHECK(spreadsheet_field("=1+2") == "'=1+2");
  CHECK(spreadsheet_field("+1") == "'+1");
  CHECK(spreadsheet_field("-1,2") == "\"'-1,2\"");
  CHECK(spreadsheet_field("@SUM(A1)") == "'@SUM(A1)");
  CHECK(spreadsheet_field("\t=1") == " =1");
  CHECK(spreadsheet_field("a\x1b[2Jb\nc") == "a [2Jb c");
}
