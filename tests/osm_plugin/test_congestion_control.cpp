#include <arpa/inet.h>

#include <catch2/catch.hpp>
#include <memory>

#include "base/error.h"
#include "osm_plugin/congestion_control.h"
#include "routing/options/plugin_options.h"

using namespace pssp;
using Catch::Matchers::Contains;

TEST_CASE("congestion_control is stored unchanged and adds no engine") {
  CHECK(parse_plugin_options("").congestion_control.empty());
  const PluginOptions options = parse_plugin_options("congestion_control=no-such-profile");
  CHECK(options.congestion_control == "no-such-profile");
  CHECK(options.engines.entries().empty());
}

TEST_CASE("a profile is written to OpenSM's options again only if they were changed") {
  const CongestionControl set("thesis-mesh");
  const auto options = std::make_unique<osm_subn_opt_t>();
  options->cc_key = 77;
  options->cc_max_outstanding_mads = 88;
  char text[] = "0:0";
  options->cc_cct.input_str = text;
  CHECK(set.write_to(*options));
  CHECK_FALSE(set.write_to(*options));
  CHECK(options->congestion_control != 0);
  // The values of table 5.1 of the thesis, in the mixed byte orders that OpenSM uses.
  CHECK(options->cc_sw_cong_setting_threshold == 2);
  CHECK(options->cc_sw_cong_setting_packet_size == 1);
  CHECK(ntohs(options->cc_sw_cong_setting_marking_rate) == 1);
  CHECK(ntohs(options->cc_ca_cong_setting_control_map) == 0xffff);
  CHECK(ntohs(options->cc_ca_cong_entries[15].ccti_timer) == 244);
  CHECK(options->cc_ca_cong_entries[15].ccti_increase == 1);
  CHECK(options->cc_cct.entries_len == 128);
  // Options outside the parameter set.
  CHECK(options->cc_key == 77);
  CHECK(options->cc_max_outstanding_mads == 88);
  CHECK(options->cc_cct.input_str == text);

  options->congestion_control = 0;
  CHECK(set.write_to(*options));
  CHECK(options->congestion_control != 0);
  options->cc_cct.entries[127].multiplier = 9;
  CHECK(set.write_to(*options));
  options->cc_sw_cong_setting_victim_mask[31] = 1;
  CHECK(set.write_to(*options));
  CHECK_FALSE(set.write_to(*options));
}

TEST_CASE("parameters that OpenSM cannot send are reported") {
  const auto lines = CongestionControl("thesis-mesh").summary();
  REQUIRE(lines.size() == 3);
  CHECK_THAT(lines[1], Contains("victim_mask"));
  CHECK_THAT(lines[2], Contains("128"));
  CHECK(CongestionControl("off").summary().size() == 1);
}

TEST_CASE("an option value that is neither a profile nor a readable absolute path is rejected") {
  CHECK_THROWS_WITH(CongestionControl("mine.cc"),
                    Contains("mine.cc") && Contains("thesis-mesh") && Contains("absolute path"));
  CHECK_THROWS_WITH(CongestionControl("/no/such/file.cc"), Contains("/no/such/file.cc"));
}
