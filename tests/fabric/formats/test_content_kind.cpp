#include <map>

#include "fabric/formats/content_kind.h"
#include "tests/fabric/formats/format_testing.h"

namespace pssp {
namespace {

using test::sample_text;

TEST_CASE("kinds are recognised by content") {
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
  CHECK(content_kind("") == ContentKind::other);
  CHECK(content_kind("Switch to the other network\n") == ContentKind::other);
}

TEST_CASE("get_network_graph's comments may be longer than what is looked at") {
  std::string text;
  for (unsigned lid = 1; text.size() < 2 * content_looked_at; ++lid) {
    text += "/* LID: " + std::to_string(lid) + " is assigned to GUID: 0x0000000000100001 */\n";
  }
  CHECK(content_kind(text + "digraph network {\n}\n") == ContentKind::dot_graph);
}

TEST_CASE("what cannot be read is named") {
  const std::map<std::string, std::string> expected{
      {"\x1F\x8B and so on", "a gzip archive"},
      {"PK\x03\x04", "a zip archive"},
      {"%PDF-1.4", "a PDF document"},
      {"<html>", "an XML or HTML document"},
      {"{\"a\": 1}", "a JSON document"},
      {"", "an empty file"},
      {" \n\t", "an empty file"},
      {"hello", "text of a kind that is not known"},
      {std::string("a\0b", 3), "binary data"},
  };
  for (const auto& [text, kind] : expected) {
    CHECK_THAT(describe_content(text), Catch::StartsWith(kind));
    CHECK(content_kind(text) == ContentKind::other);
  }
}

}  // namespace
}  // namespace pssp
