#include <catch2/catch.hpp>

#include "base/error.h"
#include "base/file_io.h"
#include "ibsim_harness/playable_topology.h"
#include "tests/temporary_folder.h"

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

TEST_CASE("A host at which ibsim cannot attach opensm is named with the file", "[playable]") {
  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "fabric.net";
  const std::string long_name(32, 'x');
  write_file(file, "Switch\t8 \"S0\"\n[1]\t\"H0\"[1]\n[2]\t\"" + long_name +
                       "\"[1]\n[3]\t\"two\"[2]\n\nHca\t1 \"H0\"\n[1]\t\"S0\"[1]\n\nHca\t1 \"" +
                       long_name +
                       "\"\n[1]\t\"S0\"[2]\n\nHca\t2 \"two\"\n[2]\t\"S0\"[3]\n\nHca\t1 "
                       "\"alone\"\n\n");
  const auto attach = [&](const std::string& host) {
    return make_playable(file, folder.path() / "copy.net", host).survey.host;
  };
  CHECK(attach("") == "H0");
  CHECK(attach("H0") == "H0");
  CHECK(attach("S0") == "S0");
  const auto refusal = [&](const std::string& host, const std::string& problem) {
    INFO(host);
    try {
      attach(host);
      FAIL("it is taken");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::usage);
      CHECK_THAT(error.what(), Catch::StartsWith("SIM_HOST '") &&
                                   Catch::Contains(problem + ": " + file.string() + ": ") &&
                                   Catch::Contains("such as 'H0'"));
    }
  };
  refusal("H99", "no node has this identifier");
  refusal("h0", "no node has this identifier");
  refusal("H", "no node has this identifier");
  refusal("alone", "port 1 of this adapter has no cable");
  refusal("two", "port 1 of this adapter has no cable");
  refusal(long_name, "ibsim cuts identifiers at 31 characters");
  refusal("\x1b[2J", "no node has this identifier");
}

TEST_CASE("An empty name of a topology is that of no file", "[playable]") {
  CHECK_THROWS_AS(make_playable("", "copy.net", "", false), Error);
}
