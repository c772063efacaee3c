#include <catch2/catch.hpp>

#include "base/csv_rows.h"
#include "base/error.h"
#include "base/random.h"

namespace pssp {
namespace {

using Row = std::vector<std::string>;

std::vector<Row> rows_of(std::string_view text) {
  CsvRows rows(text, "list");
  std::vector<Row> all;
  while (rows.next()) all.emplace_back(rows.fields().begin(), rows.fields().end());
  return all;
}

TEST_CASE("CSV rows are split into fields according to RFC 4180") {
  CHECK(rows_of("").empty());
  CHECK(rows_of("\r\n\n\r").empty());
  CHECK(rows_of("\xEF\xBB\xBF"
                "a,b") == std::vector<Row>{{"a", "b"}});
  CHECK(rows_of("a,,\r\n,\n\n x \rb") == std::vector<Row>{{"a", "", ""}, {"", ""}, {" x "}, {"b"}});
  CHECK(rows_of("\"a,b\",\"say \"\"no\"\"\",\"two\r\nlines\",\"\"\nc\"d,e") ==
        std::vector<Row>{{"a,b", "say \"no\"", "two\r\nlines", ""}, {"c\"d", "e"}});
}

TEST_CASE("the line number of a CSV row is correct after fields of several lines") {
  CsvRows rows("a\r\n\r\n\"b\n\nb\",1\nc", "list");
  for (const std::size_t line : {1U, 3U, 6U}) {
    REQUIRE(rows.next());
    CHECK(rows.line() == line);
  }
  CHECK_FALSE(rows.next());
}

TEST_CASE("invalid CSV is refused with its line") {
  CHECK_THROWS_WITH(rows_of("a\n\"b\nc"), Catch::StartsWith("list:2: a quoted field begins"));
  CHECK_THROWS_WITH(rows_of("a\n\"b\"c,d"), Catch::StartsWith("list:2: 'c' follows"));
  CHECK_THROWS_WITH(rows_of(std::string(2000, ',')), Catch::StartsWith("list:1: more than"));
  CHECK_THROWS_WITH(rows_of(std::string(70'000, 'x')), Catch::StartsWith("list:1: a field is"));
  CHECK_THROWS_WITH(rows_of("\"" + std::string(70'000, '\n') + "\""),
                    Catch::StartsWith("list:1: a field is"));
  CHECK_THROWS_WITH(rows_of(std::string("a,\0b", 4)), Catch::StartsWith("list: byte 2 is NUL"));
}

TEST_CASE("CSV fields are the same after they are written and read again") {
  RandomGenerator random = random_stream(1, 2, 3);
  for (unsigned run = 0; run < 300; ++run) {
    Row row(1 + random.below(4));
    std::string text;
    for (std::string& field : row) {
      for (unsigned i = 1 + random.below(6); i > 0; --i) field += ",\"\r\n ab"[random.below(7)];
      text += (text.empty() ? "" : ",") + csv_field(field);
    }
    CHECK(rows_of(text) == std::vector<Row>{row});
  }
}

}  // namespace
}  // namespace pssp
