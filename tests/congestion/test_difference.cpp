#include <catch2/catch.hpp>

#include "congestion/difference.h"
#include "congestion/profiles.h"
#include "tests/congestion/parameter_testing.h"

using namespace pssp;
using namespace pssp::test;

namespace {

std::string differences_of(const std::string& left, const std::string& right) {
  std::string text;
  for (const ParameterDifference& each : differences(parsed(left), parsed(right))) {
    text += each.name + ": " + each.left + " | " + each.right + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("a parameter set does not differ from itself") {
  for (const CongestionProfile& profile : congestion_profiles()) {
    const CongestionParameters set = load_congestion_parameters(profile.name);
    CHECK(differences(set, set).empty());
  }
}

TEST_CASE("the profiles thesis-start and thesis-mesh differ only in CCTI_Timer") {
  const auto found = differences(load_congestion_parameters("thesis-start"),
                                 load_congestion_parameters("thesis-mesh"));
  REQUIRE(found.size() == 1);
  CHECK(found[0].name == "adapter.ccti_timer");
  CHECK(found[0].left == "20 (20.480us)");
  CHECK(found[0].right == "244 (249.856us)");
}

TEST_CASE("the comparison covers every parameter that is sent") {
  const std::string map = "switch.control_map = all\nadapter.control_map = all\n";
  const auto differs = [&](const std::string& setting) {
    return differences_of(map, map + setting);
  };
  CHECK(differences_of("switch.control_map = none", "switch.control_map = 0x15") ==
        "switch.control_map: none | victim_mask,threshold,marking_rate\n");
  CHECK(differs("switch.victim_mask = host,1-3") == "switch.victim_mask: none | host,1-3\n");
  CHECK(differs("switch.credit_mask = all") == "switch.credit_mask: none | all\n");
  CHECK(differs("switch.threshold = 3") == "switch.threshold: 0 | 3\n");
  CHECK(differs("switch.packet_size = 3") == "switch.packet_size: 0 | 3\n");
  CHECK(differs("switch.credit_starvation_threshold = 3") ==
        "switch.credit_starvation_threshold: 0 | 3\n");
  CHECK(differs("switch.credit_starvation_return_delay = 1:3") ==
        "switch.credit_starvation_return_delay: 0:0 | 1:3\n");
  CHECK(differs("switch.marking_rate = 3") == "switch.marking_rate: 0 | 3\n");
  CHECK(differs("adapter.port_control = sl") == "adapter.port_control: qp | sl\n");
  CHECK(differences_of("adapter.control_map = 0-3", "adapter.control_map = none") ==
        "adapter.control_map: 0-3 | none\n");
  CHECK(differs("adapter.ccti_timer = 3") == "adapter.ccti_timer: 0 (0us) | 3 (3.072us)\n");
  CHECK(differs("adapter.ccti_increase = 3") == "adapter.ccti_increase: 0 | 3\n");
  CHECK(differs("adapter.trigger_threshold = 3") == "adapter.trigger_threshold: 0 | 3\n");
  CHECK(differs("adapter.sl1.ccti_increase = 3\nadapter.sl4.ccti_increase = 5") ==
        "adapter.sl1.ccti_increase: 0 | 3\nadapter.sl4.ccti_increase: 0 | 5\n");
  CHECK(differs("adapter.ccti_min = 1\ntable.block.0 = 0,7") ==
        "adapter.ccti_min: 0 | 1\ntable.ccti_limit: 0 | 1\ntable.entry[1]:  | 0:7\n");
}

TEST_CASE("table entries are compared as they are sent, for any source of the table") {
  CHECK(differences_of("table.law = linear\ntable.flows = 3\ntable.ccti_limit = 2",
                       "table.block.0 = 0,1,2\ntable.mtu = 4096\ntable.link_rate = 4xHDR")
            .empty());
  CHECK(differences_of("table.block.0 = 0:0,2:4,0:7", "table.block.0 = 0:0,0:1") ==
        "table.ccti_limit: 2 | 1\ntable.entry[1]: 2:4 | 0:1\ntable.entry[2]: 0:7 | \n");
}
