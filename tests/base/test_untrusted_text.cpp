#include <catch2/catch.hpp>
#include <string>

#include "base/untrusted_text.h"

using namespace pssp;
using namespace std::string_literals;

TEST_CASE("untrusted text is escaped so that control characters are visible and harmless") {
  CHECK(untrusted_text("selene-login-02 HCA-2") == "selene-login-02 HCA-2");
  CHECK(untrusted_text("Köln \u4e2d") == "Köln \u4e2d");
  CHECK(untrusted_text("\x1b]0;title\x07") == "\\u{1b}]0;title\\u{7}");
  CHECK(untrusted_text("\u009b31m") == "\\u{9b}31m");
  CHECK(untrusted_text("a\nb\r\t\x7f") == "a\\u{a}b\\u{d}\\u{9}\\u{7f}");
  CHECK(untrusted_text("abc\u202egpj") == "abc\\u{202e}gpj");
  CHECK(untrusted_text("\u2066\u061c\u2028") == "\\u{2066}\\u{61c}\\u{2028}");
  CHECK(untrusted_text(R"(\u{1b})") == R"(\\u{1b})");
  CHECK(untrusted_text("name\0\0\0"s) == "name");
  CHECK(untrusted_text("a\0b"s) == "a\\u{0}b");
  CHECK(untrusted_text(std::string(3, '\xff')) == "\uFFFD\uFFFD\uFFFD");
  CHECK(untrusted_text("\xc3") == "\uFFFD");
  CHECK(untrusted_text("").empty());
}

TEST_CASE("csv_text writes one field that a spreadsheet does not take for a formula") {
  CHECK(csv_text("plain") == "plain");
  CHECK(csv_text("a,b") == "\"a,b\"");
  CHECK(csv_text("say \"x\"") == "\"say \"\"x\"\"\"");
  CHECK(csv_text("=cmd()") == "'=cmd()");
  CHECK(csv_text("-1,2") == "\"'-1,2\"");
  CHECK(csv_text("@x") == "'@x");
  CHECK(csv_text("+x") == "'+x");
  CHECK(csv_text("a\nb") == "a\\u{a}b");
}
