#include <map>

#include "fabric/formats/content_kind.h"
#include "tests/fabric/formats/format_testing.h"

namespace pssp {
namespace {

using test::sample_text;

TEST_CASE("the kind of a file is recognized by its content") {
  CHECK(content_kind(sample_text("golden/small.net")) == ContentKind::net_file);
  CHECK(content_kind(sample_text("golden/lmc0.ibnetdiscover")) == ContentKind::net_file);
  CHECK(content_kind("Switch 8 \"a\"\n") == ContentKind::net_file);
  CHECK(content_kind("[root@head ~]# cat it\nHca\t1 \"a\"\n") == ContentKind::net_file);
  CHECK(content_kind("$ cat it\nSwitch8\"a\"\n[1]\"h\"[1]\n") == ContentKind::net_file);
  CHECK(content_kind("Hca1\"a\"\n") == ContentKind::net_file);
  CHECK(content_kind("Switch36 is down\n") == ContentKind::other);
  CHECK(content_kind("Switch8 a \"b\"\n") == ContentKind::other);
  for (const char* const dump : {"golden/lmc0.opensm-lfts.dump", "golden/lmc2.dump_fts",
                                 "golden/lmc2.dump_fts_all", "golden/lmc0.opensm.fdbs"}) {
    INFO(dump);
    CHECK(content_kind(sample_text(dump)) == ContentKind::lft_dump);
    CHECK(content_kind("console\n\n" + sample_text(dump)) == ContentKind::lft_dump);
  }
  CHECK(content_kind(sample_text("golden/lmc0.opensm-subnet.lst")) == ContentKind::subnet_list);
  CHECK(content_kind("digraph network {\n}") == ContentKind::dot_graph);
  CHECK(content_kind("// Unmatched line: \n\n/* and\nmore */ strict DiGraph{}") ==
        ContentKind::dot_graph);
  CHECK(content_kind("graph \"x\" {}") == ContentKind::dot_graph);
  CHECK(content_kind(std::string("digraph {}\n\0", 12)) == ContentKind::dot_graph);
  CHECK(content_kind("digraphs are nice") == ContentKind::other);
  CHECK(content_kind("11: 255 0 1 3\n12: 255 2 2 0\n") == ContentKind::omnet_fdbs);
  CHECK(content_kind("# saved\n 0 : 255 0") == ContentKind::omnet_fdbs);
  CHECK(content_kind("12: nothing") == ContentKind::other);
  CHECK(content_kind("network N\n{\n\tsubmodules:\n") == ContentKind::omnet_ned);
  CHECK(content_kind("network N { submodules: H1: HCA;") == ContentKind::omnet_ned);
  CHECK(content_kind("network N { @x(\"submodules:\") }") == ContentKind::other);
  CHECK(content_kind("\xEF\xBB\xBF"
                     "digraph network {\n}") == ContentKind::dot_graph);
  CHECK(content_kind("") == ContentKind::other);
  CHECK(content_kind("Switch to the other network\n") == ContentKind::other);
}

TEST_CASE("a graph is recognized even after very long leading comments") {
  std::string text;
  for (unsigned lid = 1; text.size() < 2 * content_looked_at; ++lid) {
    text += "/* LID: " + std::to_string(lid) + " is assigned to GUID: 0x0000000000100001 */\n";
  }
  CHECK(content_kind(text + "digraph network {\n}\n") == ContentKind::dot_graph);
}

TEST_CASE("a node description that looks like another format does not change the kind") {
  const std::string before = "switchguid=0x1(1)\nSwitch\t8 \"S-0000000000000001\"\t\t# \"";
  const std::string behind =
      "\" base port 0 lid 1 lmc 0\n[1]\t\"H-0000000000000002\"[1](3)\t\t# \"h\" lid 2 4xHDR\n";
  for (const char* const name :
       {"Unicast lids [", "Unicast lids [0x0-0x18] of switch DR path", "24 valid lids dumped",
        "24 lids dumped", "Multicast mlids [0xc000-",
        "dump_ucast_routes: Switch 0x0000000000000001", "LID    : Port : Hops : Optimal",
        "x ==( 4X 2.5 Gbps Active/ LinkUp)==>", "NodeGUID:1", "submodules:", " devid 0x1",
        "SDR - CA", "digraph {", "<html>", "START_NODES", "a,StartDevice,EndDevice",
        "# Topology file"}) {
    INFO(name);
    CHECK(content_kind(before + name + behind) == ContentKind::net_file);
    const std::string dump =
        std::string("Unicast lids [0x0-0x2] of switch DR path slid 0; dlid 0; ") +
        "0,1 guid 0x0000000000000001 (" + name + "):\n0x0002 001 : (Channel " +
        "Adapter portguid 0x0000000000000003: '" + name + "')\n1 valid lids dumped\n";
    CHECK(content_kind(dump) == ContentKind::lft_dump);
    CHECK(content_kind(std::string("{ CA Ports:01 SystemGUID:1 NodeGUID:1 PortGUID:2 VenID:0 ") +
                       "DevID:0 Rev:0 {" + name + "} LID:0003 PN:01 } { SW Ports:08") ==
          ContentKind::subnet_list);
  }
  CHECK(content_kind("Ca\t1 \"h\" # \"Switch 36 \"S-1\"\"\n") == ContentKind::net_file);
}

TEST_CASE("the first structured line determines the kind and is quoted") {
  const std::string text =
      "$ cat it\n  0x0001 005 : (Channel Adapter portguid 0x3: 'h')\n"
      "Switch 8 \"a\"\n";
  CHECK(content_kind(text) == ContentKind::lft_dump);
  CHECK(describe_content(text, "some.file") ==
        "forwarding tables (dump_fts or opensm-lfts.dump) (some.file:2: '0x0001 005 : (Channel "
        "Adapter portguid 0x3: 'h')')");
  CHECK(describe_content(text) == "forwarding tables (dump_fts or opensm-lfts.dump)");
  CHECK(describe_content("\xEF\xBB\xBF\n\x1b[0;digraph {}", "f") == "text of an unknown format");
  CHECK(describe_content("\xEF\xBB\xBF// \n digraph {}", "f") ==
        "a directed graph (dot) (f:2: 'digraph {}')");
  CHECK(describe_content("Switch 8 \"\x1b[2J" + std::string(100, 'x'), "f") ==
        "a topology (ibnetdiscover or ibsim) (f:1: 'Switch 8 \" [2J" + std::string(46, 'x') +
            "...')");
  CHECK(describe_content("\x1F\x8B", "f") == "a gzip archive: unpack it first");
  // A comment determines the kind only if no line does.
  CHECK(content_kind("# Topology file of last week\n0x0001 001\n1 lids dumped\n") ==
        ContentKind::lft_dump);
  CHECK(content_kind("#\n# Topology file: generated on Fri\n") == ContentKind::net_file);
}

TEST_CASE("port lists and the output of iblinkinfo are recognized") {
  const auto described = [](const char* file) {
    return describe_content(sample_text(std::string("other_commands/") + file), "f");
  };
  CHECK_THAT(described("02-ibnetdiscover-ports.txt"),
             Catch::StartsWith("a port list (ibnetdiscover -p) (f:1: 'CA    24  1 0x"));
  CHECK_THAT(described("03-iblinkinfo.txt"),
             Catch::StartsWith("the output of iblinkinfo (f:1: 'CA: leaf 4 host 4:"));
  CHECK_THAT(described("03-iblinkinfo-line-mode.txt"),
             Catch::StartsWith("the output of iblinkinfo (f:1: '0x000000000010001f \""));
  CHECK(content_kind("SW  1719 12 0x0a000000000005b0 4x SDR                      'a'") ==
        ContentKind::port_report);
  for (const char* const line :
       {"           6   36[  ] ==(                Down/ Polling)==>             [  ] \"\" ( )",
        "Switch: 0x0002c90300000001 leaf 1:"}) {
    CHECK(content_kind(line) == ContentKind::link_info);
  }
}

TEST_CASE("a database of ibdiagnet is recognized") {
  for (const char* const file : {"other_commands/db_csv.txt", "golden/lmc2.ibdiagnet2.db_csv"}) {
    const std::string text = sample_text(file);
    CHECK(content_kind(text) == ContentKind::ibdiagnet_database);
    CHECK_THAT(describe_content(text, "f"),
               Catch::StartsWith("the database of ibdiagnet (ibdiagnet2.db_csv) (f:") &&
                   Catch::EndsWith(": 'START_NODES')"));
  }
}

TEST_CASE("node lists of other commands are described with the command to run instead") {
  const std::map<std::string, std::string> expected{
      {"ibswitches.txt", "a list of nodes without links (ibswitches, "},
  };
  for (const auto& [file, description] : expected) {
    INFO(file);
    const std::string text = sample_text("other_commands/" + file);
    CHECK(content_kind(text) == ContentKind::other);
    CHECK_THAT(describe_content(text, "f"), Catch::StartsWith(description) &&
                                                Catch::Contains("'ibnetdiscover'") &&
                                                Catch::EndsWith("which prints a topology"));
  }
  for (const char* const line :
       {"Ca\t: 0x0002c90300000001 ports 1 \"a\"", "Ca\t : 0x0002c90300000001 ports 2 devid 0x1"}) {
    INFO(line);
    CHECK_THAT(describe_content(line), Catch::Contains("run 'ibnetdiscover'"));
  }
}

TEST_CASE("the kind of an unsupported file is named") {
  const std::map<std::string, std::string> expected{
      {"PK\x03\x04", "a zip archive"},
      {"%PDF-1.4", "a PDF document"},
      {"<html>", "an XML or HTML document"},
      {"{\"a\": 1}",
       "a JSON document; of JSON, only UFM's /ufmRest/resources/links, ports and systems are read"},
      {"", "an empty file"},
      {" \n\t", "an empty file"},
      {"hello", "text of an unknown format"},
      {std::string("a\0b", 3), "binary data"},
  };
  for (const auto& [text, kind] : expected) {
    CHECK_THAT(describe_content(text), Catch::StartsWith(kind));
    CHECK(content_kind(text) == ContentKind::other);
  }
}

TEST_CASE("archives are recognized, but not by a name within a text") {
  CHECK_THAT(describe_content("\x1F\x8B and so on"), Catch::StartsWith("a gzip archive"));
  CHECK(content_kind("\x1F\x8B and so on") == ContentKind::archive);
  std::string text = "Switch\t8 \"S-1\"\t\t# \"";
  text.resize(257, 'x');
  text += "ustar\"\n" + std::string(300, '#');
  CHECK(content_kind(text) == ContentKind::net_file);
  std::string header(512, '\0');
  header.replace(257, 5, "ustar");
  CHECK_THAT(describe_content(header), Catch::StartsWith("a tar archive"));
  CHECK(content_kind(header) == ContentKind::archive);
  CHECK(content_kind(header.substr(0, 511)) == ContentKind::other);
}

}  // namespace
}  // namespace pssp
