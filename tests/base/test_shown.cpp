#include <catch2/catch.hpp>
#include <string>

#include "base/error.h"
#include "base/shown.h"
#include "base/text_lines.h"
#include "fabric/builder.h"
#include "routing/engines/options.h"

using namespace pssp;
using Catch::Contains;

TEST_CASE("Control characters become blanks, all else stays") {
  CHECK(printable("a\tb\x1b[2J\x7f\r\n") == "a b [2J   ");
  CHECK(printable("\xC3\xA9 \"'") == "\xC3\xA9 \"'");
  CHECK(printable("").empty());
}

TEST_CASE("Long text is shortened for a message") {
  CHECK(shown(std::string(60, 'x')) == std::string(60, 'x'));
  CHECK(shown(std::string(61, 'x')) == std::string(60, 'x') + "...");
}

TEST_CASE("What a file or an option says cannot command the terminal that shows the error") {
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
