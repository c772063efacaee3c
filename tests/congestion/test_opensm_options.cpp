#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "congestion/opensm_options.h"
#include "congestion/profiles.h"
#include "tests/congestion/parameter_testing.h"

using namespace pssp;
using namespace pssp::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

OpensmCongestionOptions options_of(const std::string& text) { return opensm_options(parsed(text)); }

}  // namespace

TEST_CASE("parameters that OpenSM can express become OpenSM options with the same values") {
  const auto options = options_of(
      "switch.victim_mask = 0-8\nswitch.credit_mask = 254\nswitch.threshold = 15\n"
      "switch.packet_size = 2\nswitch.credit_starvation_threshold = 4\n"
      "switch.credit_starvation_return_delay = 3:77\nswitch.marking_rate = 65535\n"
      "adapter.port_control = sl\nadapter.ccti_timer = 9\nadapter.sl3.ccti_timer = 65535\n"
      "adapter.ccti_increase = 7\nadapter.trigger_threshold = 8\nadapter.ccti_min = 1\n"
      "table.block.0 = 0:0,3:1,0:16383\n");
  CHECK(options.left_out.empty());
  CHECK(options.sw_cong_setting_control_map == 0x1f);
  CHECK(options.sw_cong_setting_victim_mask[31] == 0xff);
  CHECK(options.sw_cong_setting_victim_mask[30] == 0x01);
  CHECK(options.sw_cong_setting_credit_mask[0] == 0x40);
  CHECK(options.sw_cong_setting_threshold == 15);
  CHECK(options.sw_cong_setting_packet_size == 2);
  CHECK(options.sw_cong_setting_credit_starvation_threshold == 4);
  CHECK(options.sw_cong_setting_credit_starvation_return_delay == CctEntry{3, 77});
  CHECK(options.sw_cong_setting_marking_rate == 65535);
  CHECK(options.ca_cong_setting_port_control == 1);
  CHECK(options.ca_cong_setting_control_map == 0xffff);
  CHECK(options.ca_cong_entries[2] == AdapterSlParameters{9, 7, 8, 1});
  CHECK(options.ca_cong_entries[3] == AdapterSlParameters{65535, 7, 8, 1});
  CHECK(options.cct == std::vector<CctEntry>{{0, 0}, {3, 1}, {0, 16383}});
  CHECK(options.cct_text == "0:0,3:1,0:16383");

  const auto lines = lines_of(opensm_conf_lines(options));
  CHECK(lines.size() == 11 + 4 * 16 + 1);
  CHECK(lines.front() == "congestion_control TRUE");
  CHECK(lines.back() == "cc_cct 0:0,3:1,0:16383");
  CHECK_THAT(
      opensm_conf_lines(options),
      Contains("\ncc_sw_cong_setting_control_map 0x1F\n") &&
          Contains("\ncc_sw_cong_setting_victim_mask 0x" + std::string(60, '0') + "01FF\n") &&
          Contains("\ncc_sw_cong_setting_credit_mask 0x40" + std::string(62, '0') + "\n") &&
          Contains("\ncc_sw_cong_setting_threshold 0x0F\n") &&
          Contains("\ncc_sw_cong_setting_credit_starvation_return_delay 3:77\n") &&
          Contains("\ncc_ca_cong_setting_port_control 0x0001\n") &&
          Contains("\ncc_ca_cong_setting_ccti_timer 3 65535\n"));
}

TEST_CASE("a mask that differs between switches is omitted and reported") {
  const auto options = options_of("switch.victim_mask = host,0\nswitch.threshold = 2");
  CHECK(options.sw_cong_setting_control_map == 0x4);
  CHECK(options.sw_cong_setting_victim_mask == std::array<std::uint8_t, 32>{});
  REQUIRE(options.left_out.size() == 1);
  CHECK_THAT(options.left_out[0], StartsWith("switch.victim_mask = host,0 differs"));
  CHECK_THAT(opensm_conf_lines(options), StartsWith("# switch.victim_mask = host,0 differs"));
  CHECK(options_of("switch.credit_mask = switch").left_out.size() == 1);
  CHECK(options_of("switch.victim_mask = host\nswitch.control_map = none").left_out.empty());
}

TEST_CASE("ports of both roles are all ports except port 0") {
  const auto options = options_of("switch.victim_mask = host,switch");
  CHECK(options.left_out.empty());
  CHECK(options.sw_cong_setting_control_map == 0x1);
  CHECK(options.sw_cong_setting_victim_mask[0] == 0x7f);
  CHECK(options.sw_cong_setting_victim_mask[15] == 0xff);
  CHECK(options.sw_cong_setting_victim_mask[31] == 0xfe);
}

TEST_CASE("the table for OpenSM is cut at 128 entries") {
  const auto law = [](int limit) {
    return "table.law = linear\ntable.flows = 9\ntable.ccti_limit = " + std::to_string(limit);
  };
  CHECK(options_of(law(127)).cct.size() == 128);
  CHECK(options_of(law(127)).left_out.empty());
  const auto options = options_of(law(128));
  CHECK(options.cct.size() == 128);
  REQUIRE(options.left_out.size() == 1);
  CHECK_THAT(options.left_out[0], Contains("table.ccti_limit = 128 needs 129 entries") &&
                                      Contains("CCTI_Limit becomes 127"));
}

TEST_CASE("a line that OpenSM would truncate is refused") {
  CongestionParameters set;
  // "cc_cct ", 127 times "3:16383," and "3:16383" are 1030 bytes, eight more than OpenSM reads.
  set.table.entries.assign(128, CctEntry{3, 16383});
  CHECK_THAT(error_of([&] { opensm_conf_lines(opensm_options(set)); }),
             Contains("2: the line cc_cct would have 1030 bytes, but OpenSM reads only 1022"));
  for (std::size_t i = 0; i < 7; ++i) set.table.entries[i] = {3, 1638};
  CHECK_THAT(error_of([&] { opensm_conf_lines(opensm_options(set)); }), Contains("1023 bytes"));
  set.table.entries[7] = {3, 1638};
  CHECK_THAT(opensm_conf_lines(opensm_options(set)), Contains("\ncc_cct 3:1638,"));
}

TEST_CASE("no profile has a line longer than OpenSM reads") {
  for (const CongestionProfile& profile : congestion_profiles()) {
    const auto options = opensm_options(load_congestion_parameters(profile.name));
    for (const std::string& line : lines_of(opensm_conf_lines(options))) {
      CHECK(line.size() <= opensm_longest_line);
    }
  }
}

TEST_CASE("an invalid parameter set is never converted to OpenSM options") {
  CongestionParameters set;
  set.switches.threshold = 16;
  CHECK_THAT(error_of([&] { opensm_options(set); }), Contains("Threshold is 16"));
}
