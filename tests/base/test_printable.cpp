#include <catch2/catch.hpp>
#include <string>

#include "base/error.h"
#include "base/printable.h"
#include "base/text_lines.h"
#include "fabric/builder.h"
#include "routing/engines/options.h"

using namespace pssp;
using Catch::Contains;

TEST_CASE("control characters become blanks, and other characters remain") {
  CHECK(printable("a\tb\x1b[2J\x7f\r\n") == "a b [2J   ");
  CHECK(printable("\xC3\xA9 \"'") == "\xC3\xA9 \"'");
  CHECK(printable("").empty());
}

TEST_CASE(
    "control characters above U+007F become blanks, and invalid UTF-8 becomes question marks") {
  CHECK(printable("a\xC2\x9B"
                  "31m") == "a 31m");  // CSI
  CHECK(printable("\xC2\x80\xC2\x9F\xC2\xA0") == "  \xC2\xA0");
  CHECK(printable("\x9B"
                  "31m") == "?31m");
  CHECK(printable("Ger\xE4t") == "Ger?t");         // Latin-1
  CHECK(printable("\xC0\x80") == "??");            // overlong
  CHECK(printable("\xE0\x82\x9B") == "???");       // overlong
  CHECK(printable("\xED\xA0\x80") == "???");       // surrogate
  CHECK(printable("\xF4\x90\x80\x80") == "????");  // beyond U+10FFFF
  CHECK(printable("\xE2\x82") == "??");            // truncated
  CHECK(printable("\xE2\x82\xAC\xF0\x9F\x98\x80") == "\xE2\x82\xAC\xF0\x9F\x98\x80");
}

TEST_CASE("an excerpt does not cut a UTF-8 character") {
  const std::string text = std::string(59, 'x') + "\xE2\x82\xAC";
  CHECK(excerpt(text) == std::string(59, 'x') + "...");
}

TEST_CASE("an excerpt has at most 60 characters") {
  CHECK(excerpt(std::string(60, 'x')) == std::string(60, 'x'));
  CHECK(excerpt(std::string(61, 'x')) == std::string(60, 'x') + "...");
}

TEST_CASE("escape sequences in files or options do not reach error messages") {
  const std::string clear_screen = "\x1b[2J";
  CHECK_THROWS_WITH(fail_at("file", 3, "'" + clear_screen + "' is no port"),
                    "file:3: ' [2J' is no port");
  CHECK_THROWS_WITH(EngineOptions::parse("seed=" + clear_screen),
                    Contains("control characters") && !Contains(clear_screen));

  FabricBuilder builder;
  builder.add_switch(1, 1, clear_screen, clear_screen);
  CHECK_THROWS_WITH(builder.add_switch(1, 1, "S2", ""), Contains("' [2J'"));
  CHECK(std::move(builder).build().label(SwitchId(0)) == " [2J");
}
