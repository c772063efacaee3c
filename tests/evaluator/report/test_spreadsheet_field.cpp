#include <catch2/catch.hpp>

#include "evaluator/report/spreadsheet_field.h"

using namespace pssp;

TEST_CASE("a name with commas or quotes is a single spreadsheet field") {
  CHECK(spreadsheet_field("node-1") == "node-1");
  CHECK(spreadsheet_field("a,b") == "\"a,b\"");
  CHECK(spreadsheet_field("a\"b") == "\"a\"\"b\"");
  CHECK(spreadsheet_field("").empty());
}

TEST_CASE("a name in a spreadsheet field cannot be a formula or control a terminal") {
  CHECK(spreadsheet_field("=1+2") == "'=1+2");
  CHECK(spreadsheet_field("+1") == "'+1");
  CHECK(spreadsheet_field("-1,2") == "\"'-1,2\"");
  CHECK(spreadsheet_field("@SUM(A1)") == "'@SUM(A1)");
  CHECK(spreadsheet_field("\t=1") == " =1");
  CHECK(spreadsheet_field("a\x1b[2Jb\nc") == "a [2Jb c");
}
