#include <catch2/catch.hpp>
#include <filesystem>
#include <random>

#include "base/error.h"
#include "fabric/builder.h"
#include "routing/mesh/coordinates_file.h"
#include "tests/temporary_file.h"

namespace pssp {
namespace {

using Numbers = std::vector<std::uint32_t>;

void require_unreadable(const std::string& text, const std::string& message) {
  CAPTURE(text.substr(0, 200));
  try {
    parse_coordinates(text, "file");
    FAIL("the file was taken");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::unreadable_input);
    CHECK_THAT(error.what(), Catch::Contains(message));
  }
}

/// Three switches in a row and one without a link; two have the same description.
Fabric four_switches() {
  FabricBuilder builder;
  const NodeId a = builder.add_switch(0x2000a1, 4, "S1", "leaf \"one\" # 1");
  const NodeId b = builder.add_switch(0x2000a2, 4, "S2", "leaf");
  const NodeId c = builder.add_switch(0x2000a3, 4, "S3", "leaf");
  builder.add_switch(0x2000a4, 4, "S4", "spare");
  builder.connect(a, 1, b, 1, {});
  builder.connect(b, 2, c, 1, {});
  return std::move(builder).build();
}

void require_mismatch(const std::string& text, const std::string& message) {
  CAPTURE(text);
  try {
    match_coordinates(parse_coordinates(text, "file"), four_switches());
    FAIL("the file was matched");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::mismatch);
    CHECK_THAT(error.what(), Catch::Contains(message));
  }
}

}  // namespace

TEST_CASE("parse_coordinates reads all elements of the format") {
  const std::string text =
      "\xEF\xBB\xBF# made by hand\r\n"
      "\r\n"
      "  dimensions\t5 5t # x y\r\n"
      "0x2000a1 0 0\r\n"
      "\"leaf \"two\" # of rack [B]\"  1 4   # corner\r\n"
      "\tS3\t 12\t007 #\r\n"
      "#S4 1 1\r\n"
      "dimensions 3 3";
  const CoordinatesFile file = parse_coordinates(text, "file");
  CHECK(file.header_line == 3);
  REQUIRE(file.dimensions.size() == 2);
  CHECK(file.dimensions[0].size == 5);
  CHECK_FALSE(file.dimensions[0].torus);
  CHECK(file.dimensions[1].torus);
  CHECK(file.dimension_count == 2);
  REQUIRE(file.switches.size() == 4);
  CHECK(file.switches[0].text == "0x2000a1");
  CHECK(file.switches[1].text == "leaf \"two\" # of rack [B]");
  CHECK(file.switches[1].coordinates == Numbers{1, 4});
  CHECK(file.switches[1].line == 5);
  CHECK(file.switches[2].coordinates == Numbers{12, 7});
  CHECK(file.switches[3].text == "dimensions");  // after the first switch, this is a name

  const test::TemporaryFile saved("a 0\nb 1\n");
  CHECK(read_coordinates(saved.path()).switches.size() == 2);
}

TEST_CASE("errors in a coordinates file name the file and the line") {
  require_unreadable("", "file: the file names no switch: it is an empty file");
  require_unreadable("# nothing\n\n", "file: the file names no switch");
  require_unreadable("dimensions 3 3\n", "file: the file names no switch");
  require_unreadable("dimensions 3\ndimensions 3\nS1 0\n",
                     "file:2: the dimensions are already given in line 1");
  require_unreadable("dimensions\nS1 0\n", "file:1: 0 numbers");
  require_unreadable("dimensions 3 t\n", "file:1: invalid size of a dimension 't'");
  require_unreadable("dimensions 0 3\n", "file:1: invalid size of a dimension '0'");
  require_unreadable("dimensions 3tt\n", "file:1: invalid size of a dimension '3tt'");
  require_unreadable("dimensions 65537\n", "file:1: invalid size of a dimension '65537'");
  require_unreadable("S1\n", "file:1: 0 numbers");
  require_unreadable("S1 0 0\nS2 0\n", "file:2: 'S2' has 1 coordinates; expected 2");
  require_unreadable("dimensions 3 3\nS2 0 1 2\n", "file:2: 'S2' has 3 coordinates; expected 2");
  require_unreadable("S1 0 -1\n", "file:1: invalid coordinate '-1'");
  require_unreadable("S1 0 1.5\n", "file:1: invalid coordinate '1.5'");
  require_unreadable("S1 0 65536\n", "file:1: invalid coordinate '65536'");
  require_unreadable("S1 99999999999999999999999\n", "invalid coordinate '999");
  require_unreadable("leaf 3 of rack B 0 2\n", "file:1: invalid coordinate 'of'");
  require_unreadable("\"leaf 0 0\n", "file:1: the closing quote of the description is missing");
  require_unreadable("\"\" 0 0\n", "file:1: the description in quotes is empty");
  require_unreadable("\"", "file:1: the closing quote");
  require_unreadable("S1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n", "file:1: 17 numbers");
  require_unreadable("S1 0\nS2 0 1\n" + std::string(2, '\0'), "NUL byte");
  require_unreadable("S1 0 0\n" + std::string(70000, 'x'), "file:2: the line is longer");
  require_unreadable("Switch\t8 \"S00000\"\n[1]\t\"H00000\"[1]\n",
                     "file:1: invalid coordinate '\"S00000\"'");
  CHECK_THROWS_AS(read_coordinates("/no/such/file"), Error);
  // A program shows its user the line even if the file is not world-readable. The plugin's log does
  // not show it (test_plugin_options.cpp).
  const test::TemporaryFile own("root:x 0 zero\n");
  std::filesystem::permissions(own.path(), std::filesystem::perms::owner_read);
  CHECK_THROWS_WITH(read_coordinates(own.path()), Catch::Contains("invalid coordinate 'zero'"));
}

TEST_CASE("parse_coordinates reads a garbled file or throws unreadable_input") {
  const std::string good = "dimensions 3 2t\n0x2000a1 0 0\n\"leaf one\" 1 0 # x\nS3 2 1\n";
  const unsigned seed = GENERATE(1U, 2U);
  std::mt19937 random(seed);
  for (int round = 0; round < 10000; ++round) {
    std::string text = good.substr(0, random() % (good.size() + 1));
    for (unsigned k = random() % 4; k > 0 && !text.empty(); --k) {
      text[random() % text.size()] = static_cast<char>(random());
    }
    try {
      const CoordinatesFile file = parse_coordinates(text, "file");
      CHECK_FALSE(file.switches.empty());
      for (const StatedCoordinates& each : file.switches) {
        if (each.coordinates.size() != file.dimension_count) FAIL(text);
      }
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::unreadable_input) FAIL(error.what());
    }
  }
}

TEST_CASE("match_coordinates finds switches by GUID, name or description") {
  const CoordinatesFile file =
      parse_coordinates("\"leaf \"one\" # 1\" 0\n0x00000000002000A2 1\nS3 2\nspare 9\n", "file");
  CHECK(match_coordinates(file, four_switches()) ==
        std::vector<SwitchId>{SwitchId(0), SwitchId(1), SwitchId(2), SwitchId(3)});
  // The spare switch has no links, so it needs no line.
  CHECK(match_coordinates(parse_coordinates("S3 2\nS1 0\nS2 1\n", "file"), four_switches()) ==
        std::vector<SwitchId>{SwitchId(2), SwitchId(0), SwitchId(1)});
}

TEST_CASE("match_coordinates rejects ambiguous names and missing coordinates") {
  // A file may name a switch that is down. A misspelled name, however, leaves a switch without
  // coordinates.
  const std::vector<SwitchId> owners =
      match_coordinates(parse_coordinates("S3 2\nS9 7\nS1 0\nS2 1\n", "file"), four_switches());
  CHECK_FALSE(owners[1].valid());
  CHECK(owners[2] == SwitchId(0));
  require_mismatch("S1 0\nS9 1\nS3 2\n",
                   "correct line 2: no switch has the GUID, name or description 'S9'");
  require_mismatch("S1 0\n0x2000a9 1\n", "'0x2000a9'");
  require_mismatch("leaf 0\n",
                   "file:1: 2 switches are called 'leaf'; name them by GUID, e.g. "
                   "0x00000000002000a2");
  require_mismatch("S1 0\n0x2000a1 1\n",
                   "file:2: switch S1 (leaf \"one\" # 1) already has coordinates "
                   "from line 1");
  require_mismatch("S1 0\nS3 1\n", "file: 1 of 4 switches have no coordinates, for example S2");
}

}  // namespace pssp
