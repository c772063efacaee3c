#include <fmt/format.h>

#include <algorithm>

#include "fabric/formats/lft_matching.h"
#include "tests/fabric/formats/format_testing.h"

namespace pssp {
namespace {

using test::error_of;
using test::replaced;
using test::replaced_once;
using test::sample_text;

MatchedTables match(std::string_view topology, std::string_view dump) {
  return match_tables(parse_topology(topology, "topo"), parse_lft(dump, "dump"));
}

std::string mismatch(std::string_view topology, std::string_view dump) {
  std::string error = error_of([&] { match(topology, dump); });
  CHECK_THAT(error, Catch::StartsWith("4: "));
  return error;
}

bool warns(const MatchedTables& matched, std::string_view part) {
  return std::any_of(matched.warnings.begin(), matched.warnings.end(),
                     [part](const std::string& w) { return w.find(part) != std::string::npos; });
}

constexpr Guid leaf1 = 0x2c90300000101;
constexpr Guid matched_leaf = 0x2c90300000200;

/// Some entries that opensm dumped for golden/small.net, read by hand.
void check_lmc0_tables(const MatchedTables& matched) {
  const Fabric& fabric = matched.fabric;
  const SwitchId first = *fabric.find_switch(leaf1);
  const SwitchId second = *fabric.find_switch(matched_leaf);
  const auto lid_of = [&fabric](Guid port) {
    return fabric.end_port(*fabric.find_end_port(port)).lid;
  };
  CHECK(fabric.max_lid() == 7);
  CHECK(fabric.switch_at(second).lid == 2);
  CHECK(lid_of(0x1001) == 1);
  CHECK(matched.tables.switch_count() == fabric.switch_count());
  CHECK(matched.tables.max_lid() == 7);
  CHECK(matched.tables.at(first, 1) == 1);
  CHECK(matched.tables.at(second, 2) == 0);
  CHECK(matched.tables.at(second, lid_of(0x101)) == 1);
  CHECK(matched.tables.at(second, lid_of(0x5001)) == 3);
  CHECK(matched.tables.at(first, lid_of(0x2001)) == 2);
  CHECK(matched.tables.at(second, lid_of(0x2002)) == 2);
  CHECK(matched.tables.at(first, 0) == no_port);
}

TEST_CASE("a topology with LIDs is matched by LID with any format of dump") {
  for (const char* const dump : {"lmc0.opensm-lfts.dump", "lmc0.dump_fts", "lmc0.opensm.fdbs"}) {
    INFO(dump);
    const MatchedTables matched =
        match(sample_text("golden/lmc0.ibnetdiscover"), sample_text(std::string("golden/") + dump));
    CHECK(matched.warnings.empty());
    check_lmc0_tables(matched);
  }
}

TEST_CASE("a topology without LIDs gets them from the dump by GUID") {
  for (const char* const dump : {"lmc0.opensm-lfts.dump", "lmc0.dump_fts"}) {
    INFO(dump);
    const MatchedTables matched =
        match(sample_text("golden/small.net"), sample_text(std::string("golden/") + dump));
    CHECK(matched.warnings.empty());
    check_lmc0_tables(matched);
  }
}

TEST_CASE("the LMC of a port follows from its consecutive LIDs in the dump") {
  for (const char* const dump : {"golden/lmc2.opensm-lfts.dump", "golden/lmc2.dump_fts"}) {
    const MatchedTables matched = match(sample_text("golden/small.net"), sample_text(dump));
    const EndPort& port = matched.fabric.end_port(*matched.fabric.find_end_port(0x1001));
    CHECK(port.lid == 4);
    CHECK(port.lmc == 2);
    CHECK(matched.fabric.switch_at(*matched.fabric.find_switch(leaf1)).lmc == 0);
    CHECK(matched.tables.at(*matched.fabric.find_switch(matched_leaf), 5) == 8);
  }
  const std::string gap =
      replaced(sample_text("golden/lmc2.opensm-lfts.dump"), "\n0x0007", "\n0x0002");
  CHECK_THAT(mismatch(sample_text("golden/small.net"), gap),
             Catch::Contains("expected 2^LMC consecutive LIDs"));
}

TEST_CASE("ports are recognized although ibsim has changed their GUIDs") {
  // On the real fabric, the port GUID is the node GUID; ibsim changes it to the node GUID + 1.
  const std::string real = replaced(
      replaced(sample_text("golden/lmc0.ibnetdiscover"), "(101)", "(100)"), "(1001)", "(1000)");
  check_lmc0_tables(match(sample_text("golden/small.net"), sample_text("golden/lmc0.dump_fts")));
  const MatchedTables by_lid = match(real, sample_text("golden/lmc0.opensm-lfts.dump"));
  CHECK(by_lid.warnings.empty());
  CHECK(by_lid.fabric.find_end_port(0x1000).has_value());

  const std::string without_lids = replaced(
      replaced(replaced(sample_text("golden/small.net"), "(1001)", "(1000)"), "(2001)", "(2000)"),
      "(2002)", "(2009)");
  const MatchedTables by_guid = match(without_lids, sample_text("golden/lmc0.opensm-lfts.dump"));
  CHECK(by_guid.fabric.end_port(*by_guid.fabric.find_end_port(0x1000)).lid == 1);
  CHECK(by_guid.fabric.max_lid() == 7);
}

/// golden/small.net as written by hand: without GUIDs, and with descriptions as names.
std::string hand_written() {
  return "Switch 8 \"MF0;leaf-1:MQM8700/U1\"\n[1] \"host 'a' [rack 3] mlx5_0\"[1]\n[2] \"host "
         "b1\"[1]\n"
         "[7] \"MF0;leaf-2:MQM8700/U1\"[7]\n[8] \"MF0;leaf-2:MQM8700/U1\"[8]\n"
         "Switch 8 \"MF0;leaf-2:MQM8700/U1\"\n[1] \"host c\"[1]\n[2] \"host b2\"[1]\n[3] "
         "\"router\"[1]\n"
         "[7] \"MF0;leaf-1:MQM8700/U1\"[7]\n[8] \"MF0;leaf-1:MQM8700/U1\"[8]\n"
         "Ca 1 \"host 'a' [rack 3] mlx5_0\" # \"host 'a' [rack #3] mlx5_0\"\n[1] "
         "\"MF0;leaf-1:MQM8700/U1\"[1]\n"
         "Ca 1 \"host b1\"\n[1] \"MF0;leaf-1:MQM8700/U1\"[2]\n"
         "Ca 1 \"host b2\"\n[1] \"MF0;leaf-2:MQM8700/U1\"[2]\n"
         "Ca 1 \"host c\"\n[1] \"MF0;leaf-2:MQM8700/U1\"[1]\n"
         "Ca 1 \"router\" # \"router to the other subnet\"\n[1] \"MF0;leaf-2:MQM8700/U1\"[3]\n";
}

TEST_CASE("nodes without common GUIDs are matched by unique descriptions") {
  std::string dump = sample_text("golden/lmc0.opensm-lfts.dump");
  CHECK_THAT(mismatch(hand_written(), dump),
             Catch::Contains("cabled adapter ports have no LID in the dump: host b1") &&
                 Catch::Contains("2 of 5"));
  dump = replaced(dump, "0000002001: 'host b'", "0000002001: 'host b1'");
  dump = replaced(dump, "0000002002: 'host b'", "0000002002: 'host b2'");
  const MatchedTables matched = match(hand_written(), dump);
  CHECK(matched.warnings.empty());
  const Fabric& fabric = matched.fabric;
  CHECK(fabric.switches()[0].description == "MF0;leaf-1:MQM8700/U1");
  CHECK(fabric.switches()[1].lid == 2);
  CHECK(fabric.end_ports()[0].lid == 1);
  CHECK(matched.tables.at(SwitchId(0), 1) == 1);
  CHECK(matched.tables.at(SwitchId(1), 2) == 0);
}

TEST_CASE("a node without a description matches a dump in which ibsim uses its identifier") {
  const std::string_view dump =
      "Unicast lids [0x0-0x3] of switch DR path slid 0; dlid 0; 0,1 guid 0x0000000000200000 (S1):\n"
      "  Lid  Out   Destination\n       Port     Info\n"
      "0x0001 002 : (Channel Adapter portguid 0x0000000000100003: 'H2')\n"
      "0x0002 000 : (Switch portguid 0x0000000000200000: 'S1')\n"
      "0x0003 001 : (Channel Adapter portguid 0x0000000000100001: 'H1')\n3 valid lids dumped\n";
  const MatchedTables matched = match(
      "Switch 4 \"S1\" # \"\"\n[1] \"H1\"[1]\n[2] \"H2\"[1]\n\n"
      "Hca 1 \"H1\" # \"\"\n[1] \"S1\"[1]\n\nHca 1 \"H2\" # \"\"\n[1] \"S1\"[2]\n",
      dump);
  CHECK(matched.warnings.empty());
  CHECK(matched.fabric.lids().size() == 3);
}

TEST_CASE("a dump of another fabric does not match by made-up GUIDs") {
  const std::string ours =
      "Switch 4 \"A\"\n[1] \"H1\"[1]\n[2] \"H2\"[1]\nCa 1 \"H1\"\n[1] \"A\"[1]\nCa 1 \"H2\"\n[1] "
      "\"A\"[2]\n";
  const std::string dump =
      "Unicast lids [0-3] of switch Lid 2 guid 0x0000000000200000 ('{}'):\n"
      "0x0001 001 # Channel Adapter portguid 0x0000000000100001: '{}'\n"
      "0x0002 000 # Switch portguid 0x0000000000200000: '{}'\n"
      "0x0003 002 # Channel Adapter portguid 0x0000000000100003: '{}'\n3 lids dumped\n";
  CHECK(match(ours, fmt::format(fmt::runtime(dump), "A", "H1", "A", "H2"))
            .tables.at(SwitchId(0), 3) == 2);
  CHECK_THAT(mismatch(ours, fmt::format(fmt::runtime(dump), "X", "Y", "X", "Z")),
             Catch::Contains("3 of 3 ports have another description in the dump"));
}

TEST_CASE("a dump without owners of LIDs does not match a topology without LIDs") {
  CHECK_THAT(mismatch(sample_text("golden/small.net"), sample_text("golden/lmc0.opensm.fdbs")),
             Catch::Contains("does not state the owners of LIDs"));
  CHECK_THAT(mismatch(sample_text("golden/small.net"),
                      sample_text("golden/lmc2.dump_fts_no_destinations")),
             Catch::Contains("does not state the owners of LIDs"));
}

TEST_CASE("a port without a LID in the topology causes a warning and is not an endpoint") {
  std::string topology =
      replaced(sample_text("golden/lmc0.ibnetdiscover"), "\"host c\" lid 3 ", "\"host c\" lid 0 ");
  topology = replaced(topology, "# lid 3 lmc 0", "# lid 0 lmc 0");
  const MatchedTables matched = match(topology, sample_text("golden/lmc0.opensm-lfts.dump"));
  CHECK(warns(matched, "1 cabled adapter port(s) without a LID in the topology"));
  CHECK(warns(matched, "1 LIDs that the dump routes have no owner in the topology: 3"));
  const Fabric whole =
      match(sample_text("golden/lmc0.ibnetdiscover"), sample_text("golden/lmc0.opensm-lfts.dump"))
          .fabric;
  CHECK(whole.endpoints_without_lid() == 0);
  CHECK(matched.fabric.endpoints_without_lid() == 1);
  CHECK(matched.fabric.endpoints().size() == whole.endpoints().size() - 1);
}

TEST_CASE("a switch without a LID is matched by GUID and gets the LID of the dump") {
  const std::string dump = sample_text("golden/lmc0.opensm-lfts.dump");
  const std::string topology = sample_text("golden/lmc0.ibnetdiscover");
  const MatchedTables whole = match(topology, dump);
  for (const char* const unknown : {"lid 0", "lid 65535"}) {
    const MatchedTables matched = match(replaced(topology, "lid 2", unknown), dump);
    CHECK(warns(matched,
                "1 switch(es) without a LID in the topology take the LID of the dump: "
                "'S-0002c90300000200' (GUID 0x0002c90300000200) LID 2"));
    CHECK(matched.warnings.size() == whole.warnings.size() + 1);
    CHECK(matched.fabric.switch_at(*matched.fabric.find_switch(matched_leaf)).lid == 2);
    check_lmc0_tables(matched);
  }
}

TEST_CASE("a switch with another LID in the dump is reported once, with both LIDs") {
  const std::string refusal =
      mismatch(replaced(sample_text("golden/lmc0.ibnetdiscover"), "lid 2", "lid 40"),
               sample_text("golden/lmc0.opensm-lfts.dump"));
  CHECK_THAT(refusal, Catch::Contains("1 of 2 switches have another LID in the dump than in the "
                                      "topology") &&
                          Catch::Contains("LID 2 in the dump and 40 in the topology") &&
                          !Catch::Contains("not in the topology:") &&
                          !Catch::Contains("not in the dump"));
}

TEST_CASE("a dump of another fabric is refused with counts and examples") {
  const std::string topology = sample_text("golden/lmc0.ibnetdiscover");
  const std::string dump = sample_text("golden/lmc0.opensm-lfts.dump");
  const std::string other_switch =
      mismatch(topology, replaced(dump, "2c90300000200", "2c90300000999"));
  CHECK_THAT(other_switch,
             Catch::Contains(
                 "1 of 2 switches of the dump are not in the topology: "
                 "'MF0;leaf-2:MQM8700/U1' (GUID 0x0002c90300000999); the topology's LID 2 is") &&
                 Catch::Contains("1 of 2 switches of the topology are not in the dump"));

  const std::string one_switch = dump.substr(0, dump.find("Unicast", 1));
  CHECK_THAT(
      mismatch(topology, one_switch),
      Catch::Contains("1 of 2 switches of the topology are not in the dump: S-0002c90300000101"));
  CHECK_THAT(mismatch(topology, dump + "Unicast lids [0-7] of switch Lid 9 guid 0x0000000000000abc "
                                       "('more'):\n7 lids dumped\n"),
             Catch::Contains("1 of 3 switches of the dump are not in the topology: 'more'"));

  std::string other_hosts =
      replaced(replaced(dump, "portguid 0x0000000000001001", "portguid 0x0000000000007777"),
               "[rack #3]", "[rack #4]");
  CHECK_THAT(
      mismatch(topology, other_hosts),
      Catch::Contains("1 of 7 LIDs lead to another port in the dump than in the topology: "
                      "LID 1 of 'host 'a' [rack #4] mlx5_0' (port GUID 0x0000000000007777)"));

  CHECK_THAT(mismatch(topology, replaced_once(dump, "0x0001 007", "0x0001 009")),
             Catch::Contains("1 of 2 switches have entries for ports that they do not have: "
                             "'MF0;leaf-2:MQM8700/U1' (GUID 0x0002c90300000200) sends LID 1 to "
                             "port 9, but has 8 ports"));
  // The same fabric after its LIDs were reassigned.
  CHECK_THAT(mismatch(topology, sample_text("golden/lmc2.opensm-lfts.dump")),
             Catch::Contains("do not belong together"));
}

TEST_CASE("a few LIDs without an owner in the topology cause a warning, many a mismatch") {
  const std::string topology = sample_text("golden/lmc0.ibnetdiscover");
  const auto with_strangers = [](unsigned count) {
    std::string text =
        replaced(sample_text("golden/lmc0.opensm-lfts.dump"), "7 lids dumped", "99 lids dumped");
    text = replaced(text, "[0-7]", "[0-99]");
    for (unsigned i = 0; i < count; ++i) {
      text = replaced(text, "99 lids",
                      fmt::format("0x{:04x} 007 # unknown node and type\n99 lids", 50 + i));
    }
    return text;
  };
  const MatchedTables matched = match(topology, with_strangers(7));
  CHECK(
      warns(matched,
            "7 LIDs that the dump routes have no owner in the topology: 50, 51, 52, 53, 54, ..."));
  CHECK(matched.tables.max_lid() == 7);
  CHECK_THAT(mismatch(topology, with_strangers(8)),
             Catch::Contains("8 of 15 LIDs that the dump routes have no owner"));
}

TEST_CASE("a few LIDs without entries cause a warning, many a mismatch") {
  const std::string topology = sample_text("golden/lmc0.ibnetdiscover");
  std::string dump = sample_text("golden/lmc0.opensm.fdbs");
  const auto unreachable = [&dump](unsigned lid) {
    const std::string begin = fmt::format("0x{:04X} : ", lid);
    for (std::size_t at = dump.find(begin); at != std::string::npos;
         at = dump.find(begin, at + 1)) {
      const std::size_t from = at + begin.size();
      dump.replace(from, dump.find('\n', from) - from, "UNREACHABLE");
    }
  };
  unreachable(7);
  CHECK(warns(match(topology, dump), "1 LIDs of the topology have no entry in the dump: 7"));
  for (const unsigned lid : {4, 5, 6}) unreachable(lid);
  CHECK_THAT(mismatch(topology, dump),
             Catch::Contains("4 of 7 LIDs of the topology have no entry in the dump: 4, 5, 6, 7"));
}

TEST_CASE("an island without tables causes a warning") {
  const std::string island =
      "\nswitchguid=0x999(999)\nSwitch\t4 \"far\"\n[1]\t\"lonely\"[1]\n\ncaguid=0x998\nCa\t1 "
      "\"lonely\"\n[1]\t\"far\"[1]\n";
  for (const char* const topology : {"golden/small.net", "golden/lmc0.ibnetdiscover"}) {
    const MatchedTables matched =
        match(sample_text(topology) + island, sample_text("golden/lmc0.opensm-lfts.dump"));
    CHECK(warns(matched,
                "1 switch(es) of the topology without a table, which the subnet manager does not "
                "reach: far"));
    CHECK(matched.fabric.switch_count() == 3);
    check_lmc0_tables({matched.fabric, matched.tables, {}});
  }
}

TEST_CASE("the LID that dump_fts omitted belongs to the only port without a LID") {
  // 63 adapters with one port and their switch have LIDs 1 to 64.
  std::string topology = "Switch 64 \"S\"\n";
  std::string dump =
      "Unicast lids [0x0-0x40] of switch DR path slid 0; dlid 0; 0,1 guid 0x0000000000200000 (S):\n"
      "0x0001 000 : (Switch portguid 0x0000000000200000: 'S')\n";
  for (unsigned i = 1; i <= 63; ++i) topology += fmt::format("[{0}] \"H{0}\"[1]\n", i);
  for (unsigned i = 1; i <= 63; ++i) topology += fmt::format("Ca 1 \"H{0}\"\n[1] \"S\"[{0}]\n", i);
  for (unsigned i = 1; i <= 62; ++i) {
    dump += fmt::format("0x{0:04x} {1:03} : (Channel Adapter portguid 0x{2:016x}: 'H{1}')\n", i + 1,
                        i, 0x100000 + 2 * i - 1);
  }
  dump += "63 valid lids dumped \n";
  const MatchedTables matched = match(topology, dump);
  CHECK(warns(matched, "the highest LID, 64"));
  CHECK(matched.fabric.max_lid() == 64);
  CHECK(matched.fabric.end_ports()[62].lid == 64);
  CHECK(matched.tables.at(SwitchId(0), 64) == no_port);
  CHECK(matched.tables.at(SwitchId(0), 63) == 62);
}

TEST_CASE("matching of damaged dumps causes nothing worse than an Error") {
  const std::string topology = sample_text("golden/small.net");
  const std::string dump = sample_text("golden/lmc2.opensm-lfts.dump");
  std::mt19937 random = test::repeatable_random(4);
  std::size_t refused = 0;
  for (unsigned round = 0; round < 2000; ++round) {
    try {
      match(topology, test::damaged(dump, random));
    } catch (const Error&) {
      ++refused;
    }
  }
  CHECK(refused > 0);
}

}  // namespace
}  // namespace pssp
