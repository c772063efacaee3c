#include <map>
#include <string>
#include <vector>

#include "fabric/formats/ibdiagnet_sections.h"
#include "tests/fabric/formats/format_testing.h"

namespace pssp {
namespace {

using test::error_of;

std::vector<std::string> fields_of(const std::string& text, std::string_view column) {
  IbdiagnetSections rows(text, "f", {"NODES"});
  std::vector<std::string> found;
  while (rows.next()) found.emplace_back(rows.field(column).value_or("(none)"));
  return found;
}

std::string nodes(const std::string& rows) {
  return "START_NODES\nNumPorts,NodeDesc,NodeGUID\n" + rows + "END_NODES\n";
}

TEST_CASE("columns of a database of ibdiagnet are found by name in any order") {
  const std::string text =
      "# a comment\n[root@head ~]# cat it\n\nSTART_OTHER\nNodeGUID\n0x9\nEND_OTHER\n"
      "  START_NODES  \r\n nodeguid , \"NumPorts\",Of A Later Version\r\n\r\n0x1 , 36,x\r\n"
      "2,N/A,\r\n3,-1,\r\nEND_NODES\r\n";
  IbdiagnetSections rows(text, "f", {"NODES", "LINKS"});
  REQUIRE(rows.next());
  CHECK(rows.section() == "NODES");
  CHECK(rows.line() == 11);
  CHECK(rows.guid("nodeguid") == 1);
  CHECK(rows.number("numports") == 36);
  CHECK(rows.field("of a later version") == "x");
  CHECK_FALSE(rows.has_column("nodetype"));
  CHECK_FALSE(rows.number("nodetype").has_value());
  CHECK(error_of([&] { rows.number_up_to("numports", 35); }) ==
        "3: f:11: '36' in column numports of section NODES; expected a number up to 35");
  REQUIRE(rows.next());
  CHECK(rows.guid("nodeguid") == 2);
  CHECK_FALSE(rows.number("numports").has_value());
  REQUIRE(rows.next());
  CHECK_FALSE(rows.number("NUMPORTS").has_value());
  CHECK_FALSE(rows.next());
  CHECK(rows.has_section("NODES"));
  CHECK_FALSE(rows.has_section("LINKS"));
}

TEST_CASE("a node description cannot shift columns or end a section of a database of ibdiagnet") {
  for (const std::string name :
       {"a", "", "a, b", "\"", "\"quoted\" x", "x\",1,2", "END_NODES", "START_LINKS",
        "x\nEND_NODES\ny", "x\nSTART_LINKS\nNodeGuid1\n1", ",,,\",\"", "\n\n"}) {
    INFO(name);
    const std::string text = nodes("1,\"" + name + "\",0x7\n2,\"next\",0x8\n");
    CHECK(fields_of(text, "nodedesc") == std::vector<std::string>{name, "next"});
    CHECK(fields_of(text, "nodeguid") == std::vector<std::string>{"0x7", "0x8"});
  }
  CHECK(fields_of(nodes("1,without quotes, but \"commas,0x7\n"), "nodedesc") ==
        std::vector<std::string>{"without quotes, but \"commas"});
  // A name of several lines can imitate a row, but the rest of the name is not a valid row.
  for (const std::string name : {"x\",0x5\ny", "x\",0x5\nEND_NODES\n", "x\",0x5\nSTART_NODES\n",
                                 "x\",0x5\nEND_NODES\nSTART_LINKS\nNodeGuid1\n"}) {
    INFO(name);
    const std::string text =
        nodes("1,\"" + name + "\",0x7\n2,\"next\",0x8\n") + "START_LINKS\nNodeGuid1\nEND_LINKS\n";
    CHECK_THAT(error_of([&] { fields_of(text, "nodedesc"); }), Catch::StartsWith("3: f:"));
  }
}

TEST_CASE("truncated and invalid sections of a database of ibdiagnet are refused") {
  const std::map<std::string, std::string> expected{
      {"START_NODES\nNodeGUID\n1\n", "f:3: the file ends inside section NODES: it is cut off"},
      {"START_OTHER\n1\n", "f:2: the file ends inside section OTHER: it is cut off"},
      {"START_NODES", "f:1: section NODES has no line with the names of its columns"},
      {"START_NODES\nEND_NODES\n", "f:2: section NODES has no line with the names of its columns"},
      {"1\nEND_NODES\n",
       "f:2: section NODES ends here but did not begin; check that the file is complete"},
      {"START_NODES\nNodeGUID\nSTART_LINKS\n",
       "f:3: section LINKS begins before section NODES has ended; check that the file is complete"},
      {"START_NODES\nNodeGUID\nEND_NODES\nSTART_NODES\n",
       "f:4: section NODES begins a second time; the first one is at line 1"},
      {"START_NODES\nNodeGUID,NumPorts\n1\nEND_NODES\n",
       "f:3: '1' does not have the 2 fields of section NODES; check that the file is complete"},
      {"START_NODES\nNodeGUID,NumPorts\n1,2,3\nEND_NODES\n",
       "f:3: '1,2,3' does not have the 2 fields of section NODES; check that the file is "
       "complete"},
      {nodes("1,\"a"),
       "f:3: '1,\"aEND_NODES' does not have the 3 fields of section NODES; check that the file is "
       "complete"},
  };
  for (const auto& [text, message] : expected) {
    INFO(text);
    CHECK(error_of([&, &input = text] { fields_of(input, "nodeguid"); }) == "3: " + message);
  }
  IbdiagnetSections rows("START_NODES\nNodeGUID,NumPorts\n0,0x1g\nEND_NODES\n", "f", {"NODES"});
  REQUIRE(rows.next());
  CHECK_FALSE(rows.guid_if_stated("nodeguid").has_value());
  CHECK(error_of([&] { rows.guid("nodeguid"); }) ==
        "3: f:3: '0' in column nodeguid of section NODES; expected a GUID, such as "
        "0x0002c90300000101");
  CHECK(error_of([&] { rows.number("numports"); }) ==
        "3: f:3: '0x1g' in column numports of section NODES is not a number");
}

}  // namespace
}  // namespace pssp
