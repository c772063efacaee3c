#include <catch2/catch.hpp>
#include <string>

#include "ibsim_harness/table_dump.h"

using namespace pssp;

namespace {

const std::string whole =
    "Unicast lids [0x0-0x40] of switch DR path slid 0; dlid 0; 0,1 guid 0x0000000000200000 (A):\n"
    "  Lid  Out   Destination\n"
    "       Port     Info \n"
    "0x003f 005 : (Channel Adapter portguid 0x0000000000100001: 'H')\n"
    "1 valid lids dumped \n"
    "Unicast lids [0x0-0x40] of switch DR path slid 0; dlid 0; 0,1,5 guid 0x0000000000200001 (B):\n"
    "0x0040 002 : (Channel Adapter portguid 0x0000000000100003: 'G')\n"
    "1 valid lids dumped \n";

}  // namespace

TEST_CASE("a dump is complete if each table that begins also ends") {
  CHECK(is_whole_dump(whole));
  CHECK_FALSE(is_whole_dump(whole.substr(0, whole.rfind("1 valid"))));
  CHECK_FALSE(is_whole_dump(""));
}

TEST_CASE("a description like the last line of a table does not end the table") {
  const std::string named =
      std::string(whole).replace(whole.find("'H'"), 3, "'9 valid lids dumped'");
  CHECK(is_whole_dump(named));
  const std::string owner = "Switch portguid 0x1: 'X'";
  CHECK(with_entries(named, 64, owner, {{"0,1", 7}}).size() ==
        with_entries(whole, 64, owner, {{"0,1", 7}}).size() + named.size() - whole.size());
}

TEST_CASE("the last LID is lost if it is a multiple of 64 and has no line") {
  const std::vector<LostEntry> lost = lost_entries(whole);
  REQUIRE(lost.size() == 1);
  CHECK(lost[0].route == "0,1");
  CHECK(lost[0].lid == 64);
  CHECK(lost_entries("Unicast lids [0x0-0x41] of switch DR path slid 0; dlid 0; 0 guid 0x1 (A):\n"
                     "0x0001 001 : x\n1 valid lids dumped \n")
            .empty());
}

TEST_CASE("a lost entry is inserted as dump_fts would have written it") {
  const std::string restored = with_entries(whole, 64, "Switch portguid 0x1: 'X'", {{"0,1", 7}});
  CHECK(restored.find("0x0040 007 : (Switch portguid 0x1: 'X')\n2 valid lids dumped \n") !=
        std::string::npos);
  CHECK(lost_entries(restored).empty());
  CHECK(restored.size() ==
        whole.size() + std::string("0x0040 007 : (Switch portguid 0x1: 'X')\n").size());
}

TEST_CASE("the owner of a LID is found whatever the descriptions say, and for all LIDs of an LMC") {
  const std::string discovered =
      "vendid=0x8f1\n"
      "switchguid=0x200000(200000)\n"
      "Switch\t8 \"S-0000000000200000\"\t\t# \"a \"strange\" # name\" base port 0 lid 7 lmc 0\n"
      "[1]\t\"H-0000000000100000\"[1](100001) \t\t# \"host\" lid 60 4xQDR\n"
      "\n"
      "caguid=0x100000\n"
      "Ca\t1 \"H-0000000000100000\"\t\t# \"host lid 7\"\n"
      "[1](100001) \t\"S-0000000000200000\"[1]\t\t# lid 60 lmc 2 \"a \"strange\" # name\" lid 7 "
      "4xQDR\n";
  CHECK(lid_owner(discovered, 7) == "Switch portguid 0x0000000000200000: 'a \"strange\" # name'");
  for (const unsigned lid : {60u, 61u, 62u, 63u}) {
    CHECK(lid_owner(discovered, lid) ==
          "Channel Adapter portguid 0x0000000000100001: 'host lid 7'");
  }
  CHECK(lid_owner(discovered, 64).empty());
  CHECK(lid_owner(discovered, 59).empty());
}
