#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "ibsim_harness/engine_spec.h"

using namespace pssp;
using Catch::Contains;
using Words = std::vector<std::string>;

TEST_CASE("an engine specification has a name and options") {
  const EngineSpec ours = parse_engine("pssp:max_extra_hops=1:order=by_switch");
  CHECK(ours.name == "pssp");
  CHECK(ours.options == Words{"max_extra_hops=1", "order=by_switch"});
  CHECK_FALSE(ours.is_opensms);
  CHECK(parse_engine("minhop:scatter-ports=8").is_opensms);
  CHECK(parse_engines("minhop,torus-2QoS,pssp").size() == 3);
}

TEST_CASE("invalid or repeated engine specifications are refused") {
  for (const char* list :
       {"", "min hop", "-x", "minhop,,pssp", "pssp:max_extra_hops", "pssp:=1", "minhop,minhop"})
    CHECK_THROWS_AS(parse_engines(list), Error);
  CHECK_NOTHROW(parse_engines("pssp,pssp:max_extra_hops=1"));
}

TEST_CASE("a value with blanks or control characters is refused") {
  CHECK_THROWS_WITH(parse_engine("pssp:max_extra_hops=1 service_level_dump=/tmp/x"),
                    Contains("without blanks and control characters"));
  CHECK_THROWS_AS(parse_engine("pssp:max_extra_hops=1\nsm_priority 9"), Error);
  CHECK_THROWS_AS(parse_engine("updn:a=x\ty"), Error);
}

TEST_CASE("a setting is NAME=VALUE, and an engine list has engines separated by commas") {
  for (const char* const each : {"a=1", "budget.seconds=5", "kinds=/a/b", "x-y="}) {
    CHECK(is_setting(each));
  }
  for (const char* const each : {"", "a", "=1", "a b=1", "a=1 b=2", "a=1\nb=2", "a=\x7f"}) {
    CHECK_FALSE(is_setting(each));
  }
  for (const char* const each : {"pssp", "meshdor,pssp", "torus-2QoS"}) {
    CHECK(is_engine_list(each));
  }
  for (const char* const each : {"", "-R", "../x", "a b", "a\n"}) CHECK_FALSE(is_engine_list(each));
}

TEST_CASE("opensm gets the options that its engines require") {
  CHECK(opensm_needs("minhop").empty());
  CHECK(opensm_needs("lash") == Words{"-Q"});
  CHECK(opensm_needs("nue") == Words{"-Q", "--nue_max_num_vls", "8"});
  CHECK(needs_plugin("minhop,pssp"));
  CHECK_FALSE(needs_plugin("minhop,file"));
}

TEST_CASE("engine options become settings of the plugin or command line options of opensm") {
  const EngineHints none;
  CHECK(options_for_trial(parse_engine("pssp:max_extra_hops=1"), none, 8).plugin_settings ==
        Words{"max_extra_hops=1"});
  CHECK(options_for_trial(parse_engine("minhop:scatter-ports=8:M"), none, 8).opensm_options ==
        Words{"--scatter-ports", "8", "-M"});
  CHECK(options_for_trial(parse_engine("nue"), none, 4).opensm_options ==
        Words{"--nue_max_num_vls", "4"});
  EngineHints no_torus;
  no_torus.torus_reason = "no torus";
  CHECK(options_for_trial(parse_engine("torus-2QoS"), no_torus, 8).refusal == "no torus");
  CHECK(options_for_trial(parse_engine("torus-2QoS:torus_config=1"), no_torus, 8).refusal.empty());
}

TEST_CASE("the folder of an engine has a name that every file system accepts") {
  CHECK(engine_directory("/x", parse_engine("pssp:max_extra_hops=1")) ==
        "/x/pssp_max_extra_hops=1");
}
