#include <catch2/catch.hpp>

#include "base/error.h"
#include "ibsim_harness/playable_topology.h"

using namespace pssp;

TEST_CASE("LIDs are taken out of a topology, and nothing else", "[playable]") {
  CHECK(without_lids("Switch\t65 \"S-1\"\t\t# \"a lid 3 b\" enhanced port 0 lid 73 lmc 0\n"
                     "[1]\t\"H-2\"[1](e0) \t\t# \"n1 lid 4\" lid 647 4xNDR\n"
                     "[1](2c) \t\"S-1\"[65]\t\t# lid 193 lmc 0 \"leaf\" lid 73 4xNDR\n") ==
        "Switch\t65 \"S-1\"\t\t# \"a lid 3 b\" enhanced port 0\n"
        "[1]\t\"H-2\"[1](e0) \t\t# \"n1 lid 4\" 4xNDR\n"
        "[1](2c) \t\"S-1\"[65]\t\t# \"leaf\" 4xNDR\n");
  CHECK(without_lids("# lid lid 5x lmc\n") == "# lid lid 5x lmc\n");
  CHECK(without_lids("# \"odd\n# lid 5\r\n") == "# \"odd\n#\r\n");
  CHECK(without_lids("# \"he\"llo\" lid 5\n") == "# \"he\"llo\"\n");
  CHECK(without_lids("# \"he\"llo\" lid 5\n# \"x\" lid 6\n") == "# \"he\"llo\"\n# \"x\"\n");
  CHECK(without_lids("").empty());
}

TEST_CASE("An empty name of a topology is that of no file", "[playable]") {
  CHECK_THROWS_AS(make_playable("", "copy.net", "", false), Error);
}
