#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "fabric/formats/host_lids.h"
#include "fabric/formats/omnet/omnet_ned_file.h"
#include "fabric/formats/orcs/dot_file.h"

using namespace pssp;
using Catch::Matchers::Contains;

TEST_CASE("the LIDs in a file are used if each host has a different one") {
  const std::vector<StatedLid> all = {{7, "a"}, {3, "b"}};
  CHECK(host_lids(all, "f").lids == std::vector<Lid>{7, 3});
  CHECK(host_lids(all, "f").warnings.empty());
  const std::vector<StatedLid> none = {{no_lid, "a"}, {no_lid, "b"}};
  CHECK(host_lids(none, "f").lids == std::vector<Lid>{1, 2});
  CHECK(host_lids(none, "f").warnings.empty());
}

TEST_CASE("a warning counts the LIDs in a file that are not used") {
  const std::vector<StatedLid> some = {{7, "a"}, {2, "b"}, {no_lid, "c"}};
  const HostLids given = host_lids(some, "f");
  CHECK(given.lids == std::vector<Lid>{1, 2, 3});
  REQUIRE(given.warnings.size() == 1);
  CHECK_THAT(given.warnings[0], Contains("f: 1 host(s)") && Contains("'a' (LID 7, now 1)"));
  const std::vector<StatedLid> twice = {{7, "a"}, {7, "b"}};
  REQUIRE(host_lids(twice, "f").warnings.size() == 1);
  CHECK_THAT(host_lids(twice, "f").warnings[0], Contains("f: 2 host(s)"));
}

TEST_CASE("graphs and networks of OMNeT++ warn about LIDs that are not kept") {
  const std::string hosts =
      "digraph { H1 [lid=5]; H2 [lid=x]; H3; S1; H1 -> S1 [comment=\"*\"]; H2 -> S1 "
      "[comment=\"*\"]; H3 -> S1 [comment=\"*\"]; ";
  const DotFile routed = parse_dot(hosts +
                                       "S1 -> H1 [comment=\"H1\"]; S1 -> H2 [comment=\"H2\"]; "
                                       "S1 -> H3 [comment=\"H3\"]; }",
                                   "graph");
  REQUIRE(routed.topology.warnings.size() == 2);
  CHECK_THAT(routed.topology.warnings[0], Contains("graph: 1 host(s)") && Contains("'H1' (LID 5"));
  CHECK_THAT(routed.topology.warnings[1],
             Contains("graph: 1 invalid LID(s)") && Contains("'x' of 'H2' (line 1)"));
  const DotFile plain =
      parse_dot("digraph { H1 [lid=5]; H2; S1; H1 -> S1; S1 -> H1; H2 -> S1; S1 -> H2; }", "graph");
  REQUIRE(plain.topology.warnings.size() == 1);
  CHECK_THAT(plain.topology.warnings[0], Contains("graph: 1 LID(s) of hosts") && Contains("'H1'"));

  const std::string ned =
      "network two {\n submodules:\n a: HCA { parameters: srcLid = 9; }\n b: HCA { }\n"
      " s: Switch { parameters: numSwitchPorts = 8; gates: port[8]; }\n connections:\n"
      " a.port <--> IB4XQDRWire <--> s.port[0];\n b.port <--> s.port[7];\n}\n";
  const OmnetNetwork network = parse_omnet_ned(ned, "net.ned");
  REQUIRE(network.topology.warnings.size() == 1);
  CHECK_THAT(network.topology.warnings[0], Contains("'a' (LID 9, now 1)"));
}
