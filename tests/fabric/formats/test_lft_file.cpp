#include <fmt/format.h>

#include <array>
#include <map>

#include "fabric/formats/lft_file.h"
#include "tests/fabric/formats/format_testing.h"

namespace pssp {
namespace {

using test::error_of;
using test::replaced;
using test::sample_text;

LftFile parse(std::string_view text) { return parse_lft(text, "dump"); }

/// Entries of all switches by GUID and LID.
std::map<std::pair<Guid, Lid>, PortNumber> entries_of(const LftFile& file) {
  std::map<std::pair<Guid, Lid>, PortNumber> entries;
  for (const LftSwitch& from : file.switches) {
    from.entries.for_each([&](Lid lid, PortNumber port) { entries[{from.guid, lid}] = port; });
  }
  return entries;
}

constexpr Guid leaf2 = 0x2c90300000200;

TEST_CASE("opensm-lfts.dump is read with switches, entries and owners") {
  const LftFile file = read_lft(test::sample("golden/lmc0.opensm-lfts.dump"));
  CHECK(file.format == LftFormat::opensm_lfts);
  CHECK(file.warnings.empty());
  REQUIRE(file.switches.size() == 2);
  CHECK(file.switches[0].guid == leaf2);
  CHECK(file.switches[0].lid == 2);
  CHECK(file.switches[0].description == "MF0;leaf-2:MQM8700/U1");
  CHECK(file.switches[0].line == 1);
  CHECK(file.switches[1].line == 10);
  REQUIRE(file.switches[0].entries.count() == 7);
  CHECK(entries_of(file).at({leaf2, 1}) == 7);
  CHECK(entries_of(file).at({leaf2, 2}) == 0);
  REQUIRE(file.destinations.size() == 7);
  CHECK(file.destinations[0].lid == 1);
  CHECK(file.destinations[0].port_guid == 0x1001);
  CHECK_FALSE(file.destinations[0].is_switch);
  CHECK(file.destinations[0].description == "host 'a' [rack #3] mlx5_0");
  CHECK(file.destinations[1].is_switch);
}

TEST_CASE("opensm-lfts.dump, dump_fts and opensm.fdbs of the same tables have the same entries") {
  for (const char* const lmc : {"lmc0", "lmc2"}) {
    const std::string prefix = std::string("golden/") + lmc;
    const LftFile opensm = read_lft(test::sample(prefix + ".opensm-lfts.dump"));
    const LftFile fts = read_lft(test::sample(prefix + ".dump_fts"));
    const LftFile fdbs = read_lft(test::sample(prefix + ".opensm.fdbs"));
    CHECK(fts.format == LftFormat::dump_fts);
    CHECK(fdbs.format == LftFormat::opensm_fdbs);
    CHECK(entries_of(fts) == entries_of(opensm));
    CHECK(entries_of(fdbs) == entries_of(opensm));
    CHECK(fdbs.destinations.empty());
    REQUIRE(fts.destinations.size() == opensm.destinations.size());
    for (std::size_t i = 0; i < fts.destinations.size(); ++i) {
      CHECK(fts.destinations[i].lid == opensm.destinations[i].lid);
      CHECK(fts.destinations[i].port_guid == opensm.destinations[i].port_guid);
      CHECK(fts.destinations[i].is_switch == opensm.destinations[i].is_switch);
      CHECK(fts.destinations[i].description == opensm.destinations[i].description);
    }
  }
}

TEST_CASE("dump_fts -a and -n are read") {
  const LftFile all = read_lft(test::sample("golden/lmc2.dump_fts_all"));
  const LftFile bare = read_lft(test::sample("golden/lmc2.dump_fts_no_destinations"));
  const LftFile plain = read_lft(test::sample("golden/lmc2.dump_fts"));
  CHECK(entries_of(all) == entries_of(plain));
  CHECK(entries_of(bare) == entries_of(plain));
  CHECK(bare.destinations.empty());
}

TEST_CASE("tables are read despite console output, CRLF and a byte order mark") {
  for (const char* const name :
       {"golden/lmc2.opensm-lfts.dump", "golden/lmc2.dump_fts", "golden/lmc2.opensm.fdbs"}) {
    INFO(name);
    const std::string text = sample_text(name);
    const LftFile plain = parse(text);
    CHECK(entries_of(parse(replaced(text, "\n", "\r\n"))) == entries_of(plain));
    CHECK(entries_of(parse("\n# saved on Monday\n[root@head ~]# cat it\n" + text)) ==
          entries_of(plain));
    CHECK(entries_of(parse("\xEF\xBB\xBF" + text)) == entries_of(plain));
  }
  const std::string fts = sample_text("golden/lmc2.dump_fts");
  CHECK(entries_of(parse(replaced(fts, "\n0x0010", "\nibwarn: [77] mad_rpc: timed out\n0x0010"))) ==
        entries_of(parse(fts)));
  CHECK(entries_of(parse(fts + "[root@head ~]# logout\n")) == entries_of(parse(fts)));
}

TEST_CASE("unreachable LIDs of opensm.fdbs have no entry") {
  const LftFile file = parse(
      "osm_ucast_mgr_dump_ucast_routes: Switch 0x0000000000200000\nLID    : Port : Hops : Optimal\n"
      "0x0001 : UNREACHABLE\n0x0002 : 003  : HOPS UNKNOWN\n0x0003 : 004  : 02   : No 1 hop path "
      "possible via port 5!\n");
  REQUIRE(file.switches.size() == 1);
  CHECK(file.switches[0].entries.count() == 2);
  CHECK(file.switches[0].entries.at(1) == no_port);
  CHECK(file.switches[0].entries.at(2) == 3);
  CHECK(file.switches[0].entries.at(3) == 4);
}

TEST_CASE("a hand-made file for opensm -R file needs no footers") {
  const LftFile file =
      parse("Unicast lids [0-2] of switch Lid 2 guid 0x10 ('S'):\n0x0001 001\n0x2 0\n");
  REQUIRE(file.switches.size() == 1);
  CHECK(file.switches[0].entries.count() == 2);
  REQUIRE(file.warnings.size() == 1);
  CHECK_THAT(file.warnings[0], Catch::Contains("a truncated file would not be detected"));
}

TEST_CASE("an entry for LID 0 is ignored") {
  for (const char* const port : {"005", "000", "255"}) {
    const LftFile file = parse(
        fmt::format("Unicast lids [0-2] of switch Lid 2 guid 0x10 ('S'):\n0x0000 {} # Channel "
                    "Adapter portguid 0x9: 'h'\n0x0001 001\n0x0002 000\n2 lids dumped\n",
                    port));
    CHECK(file.warnings.empty());
    CHECK(file.destinations.empty());
    CHECK(file.switches.at(0).entries.count() == 2);
  }
}

TEST_CASE("a missing last line end is accepted if the last line is complete") {
  const std::string fdbs = sample_text("golden/lmc2.opensm.fdbs");
  CHECK(entries_of(parse(fdbs.substr(0, fdbs.size() - 1))) == entries_of(parse(fdbs)));
  const std::string by_hand = "Unicast lids [0-2] of switch Lid 2 guid 0x10 ('S'):\n0x0001 001\n";
  for (const char* const last : {"0x0002 000", "0x0002 000 # Switch portguid 0x10: 'S'"}) {
    CHECK(parse(by_hand + last).switches.at(0).entries.count() == 2);
  }
  for (const char* const last : {"0x0002 00", "0x0002 000 # Switch portgu"}) {
    CHECK_THAT(error_of([&] { parse(by_hand + last); }), Catch::Contains("is cut off"));
  }
}

TEST_CASE("names that contain the syntax of dumps are read as names") {
  const std::string name = "x' # (Switch portguid 0x7: 'y') guid 0x8 (z):";
  const LftFile fts = parse(
      "Unicast lids [0x0-0x2] of switch DR path slid 0; dlid 0; 0,1 guid 0x0000000000000010 (" +
      name + "):\n0x0001 001 : (Channel Adapter portguid 0x0000000000000020: '" + name +
      "')\n0x0002 000 : (Switch portguid 0x0000000000000010: '" + name +
      "')\n2 valid lids dumped \n");
  const LftFile opensm =
      parse("Unicast lids [0-2] of switch Lid 2 guid 0x0000000000000010 ('" + name +
            "'):\n0x0001 001 # Channel Adapter portguid " + "0x0000000000000020: '" + name +
            "'\n0x0002 000 # Switch portguid 0x0000000000000010: '" + name + "'\n2 lids dumped\n");
  for (const LftFile* file : {&fts, &opensm}) {
    CHECK(file->switches.at(0).guid == 0x10);
    CHECK(file->switches[0].description == name);
    REQUIRE(file->destinations.size() == 2);
    CHECK(file->destinations[0].port_guid == 0x20);
    CHECK_FALSE(file->destinations[0].is_switch);
    CHECK(file->destinations[1].is_switch);
    CHECK(file->destinations[1].description == name);
  }
  // dump_fts does not quote the name of a switch, so these quotes are part of the name.
  const LftFile quoted = parse(
      "Unicast lids [0x0-0x1] of switch DR path slid 0; dlid 0; 0 guid 0x10 ('S'):\n0x0001 000 : "
      "(what 'portguid 0x9: ' says\n1 valid lids dumped \n");
  CHECK(quoted.switches.at(0).description == "'S'");
  CHECK(quoted.destinations.empty());
}

/// The table of one switch with entries for LIDs 1 to `last`, and `highest` as the highest LID of
/// its header, in the format of dump_fts.
std::string dump_fts_of(unsigned highest, unsigned last) {
  std::string text = fmt::format(
      "Unicast lids [0x0-0x{:x}] of switch DR path slid 0; dlid 0; 0,1 guid 0x0000000000200000 "
      "(S):\n"
      "  Lid  Out   Destination\n       Port     Info \n",
      highest);
  for (unsigned lid = 1; lid <= last; ++lid) {
    text += fmt::format("0x{0:04x} 001 : (Channel Adapter portguid 0x{1:016x}: 'H{0}')\n", lid,
                        0x100001 + lid);
  }
  return text + fmt::format("{} valid lids dumped \n", last);
}

TEST_CASE("the last LID that dump_fts 44.0 omits is detected") {
  const LftFile lost = parse(dump_fts_of(64, 63));
  CHECK(lost.lost_lid == 64);
  REQUIRE(lost.warnings.size() == 1);
  CHECK_THAT(lost.warnings[0],
             Catch::Contains("the highest LID, 64") && Catch::Contains("appears unreachable"));
  CHECK(parse(dump_fts_of(64, 64)).lost_lid == no_lid);
  CHECK(parse(dump_fts_of(65, 64)).lost_lid == no_lid);
}

TEST_CASE("each invalid table is refused with the reason and the line") {
  const std::map<std::string, std::string> expected{
      {"dump_fts_entry_missing.lft",
       ":10: the table of switch 0x0002c90300000200 is incomplete: its last line states 7, but the "
       "number of entries is 6"},
      {"dump_fts_no_footers.lft", ":1: the table of switch 0x0002c90300000200 is cut off"},
      {"empty", "it looks like an empty file"},
      {"entry_behind_footer.lft", ":10: an entry after the end of a table"},
      {"fdbs_cut_off.fdbs",
       ":10: the table of switch 0x0002c90300000101 is cut off: it ends at LID 0x0005, other "
       "tables at 0x0007"},
      {"fdbs_cut_off_in_line.fdbs",
       ":10: the table of switch 0x0002c90300000101 is cut off: its last line is not complete"},
      {"first_footer_missing.lft", ":1: the table of switch 0x0002c90300000200 is cut off"},
      {"garbled_guid.lft", ":1: the switch's GUID is garbled"},
      {"garbled_header.lft", ":1: the range of LIDs is garbled"},
      {"last_footer_missing.lft", ":10: the table of switch 0x0002c90300000101 is cut off"},
      {"lid_beyond_unicast.lft", ":8: LID 0xc000 is beyond the last unicast LID 0xbfff"},
      {"lid_far_beyond.lft", ":8: '0x11112222333344445555"},
      {"lid_garbled.lft", ":2: '0x00z1 007"},
      {"lid_twice.lft", ":3: LID 0x0001 already has an entry in this table"},
      {"multicast.lft", ":1: these are multicast tables"},
      {"no_guid.lft", ":1: the switch's GUID is missing"},
      {"no_header.lft", ":1: an entry above the header of the first switch"},
      {"nul_byte.lft", ":1: NUL byte at offset 50"},
      {"owners_disagree.lft",
       ":17: LID 0x0007 leads to port 0x1000000000002002 here and to 0x0000000000002002 at line 8"},
      {"port_256.lft", ":2: port 256 does not exist"},
      {"port_garbled.lft", ":2: '0x0001 0o7"},
      {"port_missing.lft", ":2: '0x0001 # Channel"},
      {"random_text", "text of an unknown format"},
      {"range_beyond_unicast.lft", ":1: the range of LIDs is garbled or beyond 49151"},
      {"switch_twice.lft", ":19: switch 0x0002c90300000200 already has a table at line 1"},
      {"text_between_entries.lft", ":3: 'opensm: 0x0002"},
      {"topology.net", "it looks like a topology"},
      {"two_kinds.lft", ":19: another kind of dump begins here"},
      {"wrong_count.lft",
       ":9: the table of switch 0x0002c90300000200 is incomplete: its last line states 6, but its "
       "header states 7"},
  };
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::sample("bad_inputs/tables"))) {
    const std::string name = entry.path().filename().string();
    INFO(name);
    REQUIRE(expected.contains(name));
    const std::string error = error_of([&] { read_lft(entry.path()); });
    CHECK_THAT(error, Catch::StartsWith("3: ") && Catch::Contains(name) &&
                          Catch::Contains(expected.at(name)));
    ++files;
  }
  CHECK(files == expected.size());
}

TEST_CASE("tables truncated at any byte are refused, unless complete tables remain") {
  for (const char* const name :
       {"golden/lmc2.opensm-lfts.dump", "golden/lmc2.dump_fts", "golden/lmc2.opensm.fdbs"}) {
    const std::string text = sample_text(name);
    const LftFile whole = parse(text);
    for (std::size_t size = 0; size < text.size(); ++size) {
      INFO(name << " cut off at " << size);
      LftFile cut;
      try {
        cut = parse(std::string_view(text).substr(0, size));
      } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::unreadable_input);
        continue;
      }
      // The first table alone, and both tables without the last line feed, are complete. A
      // shortened first table is also accepted if it could be hand-made or, in opensm.fdbs, belong
      // to a smaller subnet; the comparison with the topology detects it.
      const bool is_first = cut.switches.size() == 1;
      const bool may_be_shorter =
          is_first && (!cut.warnings.empty() || cut.format == LftFormat::opensm_fdbs);
      if (!may_be_shorter) {
        CHECK(cut.switches.back().entries.count() ==
              whole.switches[cut.switches.size() - 1].entries.count());
      }
    }
  }
}

TEST_CASE("damaged tables cause nothing worse than an Error of unreadable input") {
  const std::array<std::string, 5> texts{
      sample_text("golden/lmc0.opensm-lfts.dump"), sample_text("golden/lmc2.dump_fts"),
      sample_text("golden/lmc0.opensm.fdbs"), sample_text("golden/lmc2.dump_fts_all"),
      sample_text("golden/lmc0.dump_fts")};
  std::mt19937 random = test::repeatable_random(3);
  std::size_t refused = 0;
  for (unsigned round = 0; round < 6000; ++round) {
    try {
      parse(test::damaged(texts[round % texts.size()], random));
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::unreadable_input);
      ++refused;
    }
  }
  CHECK(refused > 0);
}

TEST_CASE("a dump with an endless line is refused") {
  const std::string line(std::size_t{64} << 20, '0');
  CHECK_THAT(
      error_of([&] { parse("Unicast lids [0-2] of switch Lid 2 guid 0x10 ('S'):\n0x" + line); }),
      Catch::Contains("dump:2: the line is longer than 65536 bytes"));
}

}  // namespace
}  // namespace pssp
