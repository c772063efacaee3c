#include <catch2/catch.hpp>
#include <vector>

#include "base/text_table.h"

using namespace pssp;

TEST_CASE("the first column is aligned to the left, and text is not cut to the column width") {
  const std::vector<TableRow> rows{{"a", "bb", "c"}, {"long", "1", "22"}, {"x", "a remark"}};
  CHECK(text_table(rows) == "a     bb   c\nlong   1  22\nx     a remark\n");
}

TEST_CASE("rounded numbers have no trailing zeros") {
  CHECK(rounded_text(5.04, 1) == "5");
  CHECK(rounded_text(0.25, 1) == "0.3");
  CHECK(rounded_text(2.6666, 3) == "2.667");
}

TEST_CASE("columns have the displayed width and the requested alignment") {
  const std::vector<TableRow> rows{
      {"a", "text", "n"}, {"\u00e4\u00f6\u00fc", "x", "12"}, {"b", "", ""}};
  CHECK(text_table(rows, {.indent = 2, .flush_left = {true, true}}) ==
        "  a    text   n\n  \u00e4\u00f6\u00fc  x     12\n  b\n");
  CHECK(text_table(rows, {.flush_left = {false}}) ==
        "  a  text   n\n\u00e4\u00f6\u00fc     x  12\n  b\n");
  CHECK(text_table({}).empty());
  // A row that is longer than the first row adds columns.
  const std::vector<TableRow> ragged{{"a"}, {"b", "c"}, {"long", "d"}};
  CHECK(text_table(ragged) == "a\nb     c\nlong  d\n");
}
