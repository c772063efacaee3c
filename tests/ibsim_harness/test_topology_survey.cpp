// The expected counts and hosts were determined by hand.

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>

#include "ibsim_harness/topology_survey.h"

using namespace pssp;

namespace {

/// "nodes switches ports adapters host"
std::string summary(std::string_view text) {
  const TopologySurvey survey = survey_topology(text);
  return fmt::format("{} {} {} {} {}", survey.nodes, survey.switches, survey.ports, survey.adapters,
                     survey.host);
}

}  // namespace

TEST_CASE("a survey counts nodes and ports as ibsim does") {
  CHECK(summary(
            "Switch\t8 \"S0\"\n[1]\t\"H0\"[1]\n[2]\t\"S1\"[2]\n\nHca\t1 \"H0\"\n[1]\t\"S0\"[1]\n\n"
            "Switch\t8 \"S1\"\n[2]\t\"S0\"[2]\n") == "3 2 19 1 H0");
  CHECK(summary("") == "0 0 0 0 ");
  CHECK(summary("no topology at all\n[1] \"x\"[1]\n") == "0 0 0 0 ");
}

TEST_CASE("opensm attaches only to an adapter with a cable at port 1 and a short name") {
  CHECK(summary("Rt 1 \"R\"\n[1] \"S\"[1]\n\nCa 1 \"B\"\n[1] \"S\"[2]\n\nSwitch 5 \"S\"\n"
                "[1] \"R\"[1]\n[2] \"B\"[1]\n") == "3 1 8 2 B");
  CHECK(summary(R"(Ca 1 "A"  # "Mellanox Technologies Aggregation Node"
[1] "S"[1]

Ca 4 "TWO"
[2] "S"[2]

Ca 1 "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345"
[1] "S"[3]

Ca 1 "B"
[1] "S"[4]

Switch 5 "S"
[1] "A"[1]
)") == "5 1 13 4 B");
}

TEST_CASE("opensm attaches in the larger island; hosts without cables are skipped") {
  CHECK(summary("Hca 1 \"LONE\"\r\n\r\nHca 1 \"P\"\r\n[1] \"S1\"[1]\r\n\r\nSwitch 2 \"S1\"\r\n"
                "[1] \"P\"[1]\r\n\r\nHca 1 \"Q\"\r\n[1] \"S2\"[1]\r\n\r\nHca 1 \"R\"\r\n"
                "[1] \"S2\"[2]\r\n\r\nSwitch 2 \"S2\"\r\n[1] \"Q\"[1]\r\n[2] \"R\"[1]\r\n") ==
        "6 2 10 4 Q");
}

TEST_CASE("nodes without tabs between their fields are counted") {
  CHECK(summary("Switch36 \"S\"\n[1]\"H\"[1]\n") == "1 1 37 0 ");
  CHECK(summary("Switch 36 \"S\"\n[1]\"H\"[1]\n") == "1 1 37 0 ");
  CHECK(summary("Switch12 and so on\nCable\n") == "0 0 0 0 ");
}

TEST_CASE("subnet_of() keeps one subnet of several completely") {
  constexpr std::string_view first =
      "# saved\nvendid=1\nswitchguid=0x1\nSwitch 4 \"A\"\n[1] \"H\"[1]\n\nHca 1 \"H\"\n"
      "[1] \"A\"[1]\n";
  constexpr std::string_view second =
      "vendid=2\r\nswitchguid=0x2\r\nSwitch4\"B\"\r\n[1]\"G\"[1]\r\nHca1\"G\"\r\n"
      "[1]\"B\"[1]\r\n";
  constexpr std::string_view loose = "Switch 8 \"X\"\n\ncaguid=0x7\nHca 2 \"Y\"\n";
  const std::string text = std::string(first) + std::string(second) + std::string(loose);
  const OneSubnet of_first = subnet_of(text, "H");
  CHECK(of_first.text == std::string(first) + std::string(loose));
  CHECK(of_first.left_out.nodes == 2);
  CHECK(of_first.left_out.switches == 1);
  CHECK(of_first.left_out.adapters == 1);
  CHECK(subnet_of(text, "G").text == "# saved\n\n" + std::string(second) + std::string(loose));
  CHECK(subnet_of(first, "H").text == first);
  CHECK(subnet_of(text, "nobody").text == text);
  CHECK(subnet_of(text, "X").text == text);
}

TEST_CASE("the link that fails is the last link between switches") {
  CHECK(last_switch_link("Switch 4 \"A\"\n[1] \"B\"[3]\n\nSwitch 4 \"B\"\n[3] \"A\"[1]\n"
                         "[4] \"H\"[1]\n\nHca 1 \"H\"\n[1] \"B\"[4]\n") == "\"B\"[3]");
  CHECK(
      last_switch_link("Switch 4 \"A\"\n[4] \"A\"[3]\n[1] \"H\"[1]\n\nHca 1 \"H\"\n[1] \"A\"[1]\n")
          .empty());
}
