#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/error.h"
#include "routing/engines/engine.h"
#include "routing/options/plugin_options.h"
#include "routing/options/plugin_setup.h"
#include "tests/temporary_file.h"
#include "topologies/registry.h"

using namespace pssp;
using Catch::Matchers::Contains;

namespace {

/// The first option of an engine with its default value, as "engine.option=value".
std::string some_engine_option() {
  for (const EngineDescription& engine : engine_registry()) {
    for (const OptionDescription& option : engine.options()) {
      return std::string(engine.name) + "." + std::string(option.name) + "=" +
             std::string(option.fallback);
    }
  }
  FAIL("no engine has an option");
  return {};
}

}  // namespace

TEST_CASE("the plugin without options uses its defaults") {
  for (const char* const text : {"", "  ", " , \t"}) {
    const PluginOptions options = parse_plugin_options(text);
    CHECK(options.credit_loop_check);
    CHECK(options.stable);
    CHECK(options.deadlock.policy == DeadlockPolicy::prefer);
    CHECK_FALSE(options.deadlock.reversible);
    CHECK_FALSE(options.deadlock.spread_lanes);
    CHECK(options.deadlock.first_lane == 0);
    CHECK(options.service_level_dump.empty());
    CHECK(options.engines.entries().empty());
  }
}

TEST_CASE("the plugin does not pass its own options to the engines") {
  const PluginOptions options =
      parse_plugin_options("credit_loop_check=off " + some_engine_option());
  CHECK_FALSE(options.credit_loop_check);
  CHECK(options.engines.entries().size() == 1);
}

TEST_CASE("stable is an option of the plugin and not of an engine") {
  CHECK(parse_plugin_options("stable=on").stable);
  CHECK_FALSE(parse_plugin_options("stable=off").stable);
  CHECK(parse_plugin_options("stable=on max_extra_hops=1").engines.entries().size() == 1);
  CHECK_THROWS_WITH(parse_plugin_options("stable=1"),
                    Contains("stable=1") && Contains("on or off"));
  CHECK_THROWS_WITH(parse_plugin_options("pssp.stable=on"), Contains("pssp.stable"));
}

TEST_CASE("deadlock options are parsed, and wrong values are rejected") {
  CHECK(parse_plugin_options("deadlock=require").deadlock.policy == DeadlockPolicy::require);
  CHECK(parse_plugin_options("deadlock=prefer").deadlock.policy == DeadlockPolicy::prefer);
  CHECK(parse_plugin_options("deadlock=ignore").deadlock.policy == DeadlockPolicy::ignore);
  const PluginOptions options = parse_plugin_options(
      "reversible=on spread_lanes=on first_lane=14 service_level_dump=/var/log/levels");
  CHECK(options.deadlock.reversible);
  CHECK(options.deadlock.spread_lanes);
  CHECK(options.deadlock.first_lane == 14);
  CHECK(options.service_level_dump == "/var/log/levels");
  CHECK(options.engines.entries().empty());

  CHECK_THROWS_WITH(parse_plugin_options("deadlock=always"),
                    Contains("deadlock=always") && Contains("require, prefer or ignore"));
  CHECK_THROWS_WITH(parse_plugin_options("reversible=1"), Contains("on or off"));
  CHECK_THROWS_WITH(parse_plugin_options("spread_lanes=yes"), Contains("on or off"));
  for (const char* const lane : {"15", "-1", "1x", "0x1", "4294967296"}) {
    CHECK_THROWS_WITH(parse_plugin_options(std::string("first_lane=") + lane),
                      Contains(lane) && Contains("from 0 to 14"));
  }
  CHECK_THROWS_WITH(parse_plugin_options("service_level_dump=levels"), Contains("absolute path"));
  // The options belong to the plugin, not to an engine.
  CHECK_THROWS_WITH(parse_plugin_options("pssp.deadlock=require"), Contains("pssp.deadlock"));
}

TEST_CASE("wrong plugin options are rejected with a suggestion") {
  CHECK_THROWS_WITH(parse_plugin_options("no_such_option=1"),
                    "option no_such_option=1: unknown; pssp route --list shows all options");
  for (const auto& [wrong, meant] :
       std::map<std::string, std::string>{{"credit_lop_check", "credit_loop_check"},
                                          {"Deadlock", "deadlock"},
                                          {"deadlock.polcy", "deadlock.policy"},
                                          {"policy", "deadlock.policy"},
                                          {"seconds", "budget.seconds"},
                                          {"pssp.stable", "stable"},
                                          {"best.slak", "best.slack"},
                                          {"psspp.max_extra_hops", "pssp.max_extra_hops"},
                                          {"max-extra-hop", "max_extra_hops"}}) {
    CHECK_THROWS_WITH(parse_plugin_options(wrong + "=1"),
                      "option " + wrong + "=1: unknown; did you mean " + meant + "?");
  }
  CHECK_THROWS_WITH(parse_plugin_options("credit_loop_check=maybe"),
                    Contains("credit_loop_check=maybe") && Contains("on or off"));
  CHECK_THROWS_WITH(parse_plugin_options("credit_loop_check"), Contains("name=value"));
  CHECK_THROWS_WITH(parse_plugin_options("options_file=pssp.conf"), Contains("absolute path"));
  CHECK_THROWS_WITH(parse_plugin_options("options_file=/no/such/file"), Contains("/no/such/file"));
}

TEST_CASE("plugin options may be in a file") {
  const test::TemporaryFile file("");
  const std::string& path = file.path();
  const auto write = [&path](const std::string& content) { std::ofstream(path) << content; };
  const std::string text = "options_file=" + path;

  write("# for the big machine\ncredit_loop_check=off\n" + some_engine_option() + "\n");
  const PluginOptions options = parse_plugin_options(text);
  CHECK_FALSE(options.credit_loop_check);
  CHECK(options.engines.entries().size() == 1);
  CHECK_THROWS_WITH(parse_plugin_options(text + " credit_loop_check=on"),
                    Contains(path + ":2:") && Contains("twice"));

  write("options_file=/another\n");
  CHECK_THROWS_WITH(parse_plugin_options(text), Contains(path + ":1:") && Contains("twice"));
  write("#\n\nno_such_option=1\n");
  CHECK_THROWS_WITH(parse_plugin_options(text), Contains(path + ":3: option no_such_option=1"));
}

TEST_CASE("the log does not quote a file named by an option unless it is world-readable") {
  const test::TemporaryFile file("root:x 0 zero\n");
  const auto fault = [&](std::filesystem::perms rights) {
    std::filesystem::permissions(file.path(), rights);
    const PluginSetup setup = set_up_plugin("meshdor.coordinates=" + file.path());
    REQUIRE(setup.faults.size() == 1);
    CHECK(setup.faults[0].code == LogCode::file_of_option);
    return setup.faults[0].text;
  };
  using std::filesystem::perms;
  CHECK_THAT(fault(perms::owner_read | perms::others_read), Contains("invalid coordinate 'zero'"));
  CHECK_THAT(fault(perms::owner_read),
             Catch::StartsWith("option meshdor.coordinates: " + file.path() + ":1: ") &&
                 !Contains("zero"));
}

TEST_CASE("options have the same names everywhere, and their old names are accepted") {
  const PluginOptions options = parse_plugin_options(
      "deadlock.policy=require deadlock.spread=on deadlock.reversible=on deadlock.first_lane=2 "
      "deadlock.effort=3 deadlock.budget=7");
  CHECK(options.deadlock.policy == DeadlockPolicy::require);
  CHECK(options.deadlock.spread_lanes);
  CHECK(options.deadlock.reversible);
  CHECK(options.deadlock.first_lane == 2);
  CHECK(options.deadlock.effort == 3);
  CHECK(options.deadlock.budget == 7);
  CHECK(options.engines.entries().empty());

  CHECK_NOTHROW(parse_plugin_options("deadlock=require deadlock.policy=require"));
  CHECK_THROWS_WITH(
      parse_plugin_options("deadlock=require deadlock.policy=prefer"),
      Contains("option deadlock.policy is given twice") && Contains("deadlock=require"));
  CHECK_THROWS_WITH(parse_plugin_options("deadlock.policy=always"),
                    Contains("deadlock.policy=always") && Contains("require, prefer or ignore"));
  CHECK_THROWS_WITH(parse_plugin_options("deadlock.nonsense=1"),
                    "option deadlock.nonsense=1: unknown; pssp route --list shows all options");
}

TEST_CASE("stable rerouting has its own options, and by default the common max_extra_hops") {
  CHECK(parse_plugin_options("").stable_options("pssp").max_extra_hops == 0);
  CHECK(parse_plugin_options("").stable_options("pssp").keep_long_management_paths);
  CHECK(parse_plugin_options("max_extra_hops=2").stable_options("pssp").max_extra_hops == 2);
  CHECK(parse_plugin_options("pssp.max_extra_hops=2").stable_options("cassp").max_extra_hops == 0);
  const PluginOptions both = parse_plugin_options("max_extra_hops=2 stable.max_extra_hops=1");
  CHECK(both.stable_options("pssp").max_extra_hops == 1);
  CHECK(both.engines.entries().size() == 1);
  CHECK(parse_plugin_options("stable.least_gain=100").stable_options("best").least_gain == 100);
  CHECK_THROWS_WITH(parse_plugin_options("stable.max_extra_hops=16"),
                    Contains("stable.max_extra_hops=16") && Contains("from 0 to 15"));
  CHECK_THROWS_WITH(parse_plugin_options("stable.nonsense=1"),
                    Contains("stable.nonsense=1: unknown"));
}

TEST_CASE("options of stable rerouting without effect are reported") {
  CHECK(parse_plugin_options("stable=on stable.max_extra_hops=1").without_effect().empty());
  CHECK(parse_plugin_options("max_extra_hops=1").without_effect().empty());
  const auto warnings = parse_plugin_options("stable=off stable.least_gain=5").without_effect();
  REQUIRE(warnings.size() == 1);
  CHECK_THAT(warnings[0], Contains("stable.least_gain needs stable=on"));
  const auto background = parse_plugin_options("stable=off background=on").without_effect();
  REQUIRE(background.size() == 1);
  CHECK(background[0] == "background=on needs stable=on");
  CHECK(parse_plugin_options("stable=off background=off").without_effect().empty());
}

TEST_CASE("the budget of a routing grows with the fabric unless it is set") {
  const Fabric small = make_fabric("torus 6x6x4");
  const BudgetOptions by_size = parse_plugin_options("").budget;
  CHECK(table_entries(small) == 144 * 288);
  CHECK(seconds_for(by_size, small) == Approx(5.82944));
  CHECK(seconds_for(by_size, make_fabric("xgft 36,36 1,36")) == Approx(5 + 20e-6 * 72 * 1368));
  CHECK(seconds_for(parse_plugin_options("budget.seconds=7").budget, small) == 7);
  CHECK(bytes_of(parse_plugin_options("budget.megabytes=3").budget) == 3U << 20U);
  CHECK_THROWS_WITH(parse_plugin_options("budget.seconds=0"),
                    Contains("budget.seconds=0") && Contains("auto"));
}

TEST_CASE("error messages quote only the beginning of a long value") {
  const std::string value(6000, 'x');
  for (const char* const name : {"deadlock", "deadlock.policy", "pssp.order", "first_lane",
                                 "stable", "nonsense", "options_file"}) {
    INFO(name);
    try {
      const PluginOptions options = parse_plugin_options(std::string(name) + "=" + value);
      make_engine("pssp", options.engines);
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(std::string_view(error.what()).size() < 2000);
    }
  }
}

TEST_CASE("every option accepts its default, and options in force can be given as options") {
  for (const OptionDescription& option : plugin_option_list()) {
    INFO(option.name);
    CHECK_FALSE(option.values.empty());
    CHECK_FALSE(option.meaning.empty());
    if (!option.fallback.empty()) {
      CHECK_NOTHROW(parse_plugin_options(option.name + "=" + option.fallback));
    }
  }
  std::string all;
  for (const std::string& each : options_in_force(parse_plugin_options("deadlock=require"))) {
    all += each + " ";
  }
  CHECK_THAT(all, Contains("deadlock.policy=require ") && Contains("cassp.passes=12 "));
  CHECK(options_in_force(parse_plugin_options(all)) ==
        options_in_force(parse_plugin_options("deadlock=require")));
}
