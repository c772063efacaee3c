// Options as a running opensm reads them. The tests give every option many wrong values, fixed and
// random. In all cases, all engines must be created, each wrong option must be reported, and all
// other options must take effect.

#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/random.h"
#include "routing/engines/engine.h"
#include "routing/options/plugin_setup.h"
#include "tests/temporary_file.h"

using namespace pssp;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// Descriptions of all options by full name.
std::map<std::string, OptionDescription> all_options() {
  std::map<std::string, OptionDescription> all;
  for (const OptionDescription& option : plugin_option_list()) all.emplace(option.name, option);
  for (const EngineDescription& engine : engine_registry()) {
    for (const OptionDescription& option : engine.options()) {
      all.emplace(std::string(engine.name) + "." + option.name, option);
    }
  }
  return all;
}

/// Sets up the plugin and all engines, and checks the form of the lines about faults.
PluginSetup set_up(const std::string& text) {
  INFO(text);
  PluginSetup setup = set_up_plugin(text);
  REQUIRE(setup.engines.size() == engine_registry().size());
  for (const EngineSetup& each : setup.engines) REQUIRE(each.engine != nullptr);
  for (const std::string& line : fault_lines(setup.faults)) {
    INFO(line);
    CHECK_THAT(line, StartsWith("ERR 7A1"));
    CHECK(line.size() < 400);
    CHECK(line.find('\n') == std::string::npos);
  }
  return setup;
}

/// The line about the only fault of the text.
std::string fault_of(const std::string& text) {
  const PluginSetup setup = set_up(text);
  REQUIRE(setup.faults.size() == 1);
  return fault_lines(setup.faults)[0];
}

bool takes_any_text(const OptionDescription& option) {
  return option.name == "congestion_control" || option.name == "coordinates";
}

}  // namespace

TEST_CASE("valid options have no faults and take effect") {
  const PluginSetup setup = set_up("deadlock=require max_extra_hops=1 best.slack=7 stable=off");
  CHECK(setup.faults.empty());
  CHECK(setup.options.deadlock.policy == DeadlockPolicy::require);
  CHECK_FALSE(setup.options.stable);
  CHECK(options_in_force(setup.options) ==
        options_in_force(
            parse_plugin_options("deadlock=require max_extra_hops=1 best.slack=7 stable=off")));
  CHECK(set_up("").faults.empty());
}

TEST_CASE("the line about a wrong option says what is allowed and which value is used") {
  CHECK(fault_of("max_extra_hops=-1") ==
        "ERR 7A12: option max_extra_hops=-1: not a number from 0 to 15; using the default, 0");
  CHECK(fault_of("best.slak=1") ==
        "ERR 7A11: option best.slak=1: unknown; did you mean best.slack?; it is ignored");
  CHECK(fault_of("deadlock=reqire") ==
        "ERR 7A12: option deadlock=reqire: not require, prefer or ignore; did you mean require?; "
        "using deadlock=require");
  CHECK(fault_of("stable") ==
        "ERR 7A10: option stable: not of the form name=value, without blanks; it is ignored");
  CHECK(fault_of("budget.seconds=0") ==
        "ERR 7A12: option budget.seconds=0: not auto or a number from 1 to 86400; using the "
        "default, auto");
  CHECK(fault_of("node_types_file=kinds") ==
        "ERR 7A12: option node_types_file=kinds: not an absolute path; using the default, none");
  CHECK(fault_of("max_extra_hops=1 max_extra_hops=2") ==
        "ERR 7A13: option max_extra_hops is given twice, as max_extra_hops=1 and as "
        "max_extra_hops=2; using "
        "the default, 0");
  CHECK_THAT(fault_of("meshdor.dimension_order=1-1"),
             StartsWith("ERR 7A12: option meshdor.dimension_order=1-1: ") ||
                 StartsWith("ERR 7A12: option dimension_order=1-1: "));
  CHECK_THAT(fault_of("meshdor.coordinates=/no/such/file"),
             StartsWith("ERR 7A15: option meshdor.coordinates: ") && Contains("/no/such/file") &&
                 Contains("using the default, none"));
}

TEST_CASE("a wrong value is reported in one line, and all other options take effect") {
  const std::vector<std::string> wrong{"-1",  "nonsense", "1e3",  "0x1",   "99999999999999999999",
                                       "yes", "ON",       "1.5",  "+1",    "--",
                                       "a=b", "'on'",     "true", "1_000", "on;off"};
  for (const auto& [name, option] : all_options()) {
    if (takes_any_text(option)) continue;
    const bool is_policy = name == "deadlock.policy";
    for (const std::string& value : wrong) {
      const std::string text = name + "=" + value + " best.slack=3 budget.megabytes=77";
      INFO(text);
      const PluginSetup setup = set_up(text);
      REQUIRE(setup.faults.size() == 1);
      CHECK(setup.faults[0].code == LogCode::wrong_value);
      CHECK_THAT(setup.faults[0].text, Contains(value));
      CHECK(setup.options.budget.megabytes == 77);
      CHECK(setup.options.engines.text("best", "slack", "") == "3");
      CHECK(setup.options.deadlock.policy ==
            (is_policy ? DeadlockPolicy::require : DeadlockPolicy::prefer));
    }
  }
}

TEST_CASE("a misspelled option is reported with a suggestion") {
  RandomGenerator random(49, 8);
  const std::map<std::string, OptionDescription> all = all_options();
  for (const auto& [name, option] : all) {
    const std::size_t at = random.below(static_cast<std::uint32_t>(name.size()));
    std::string wrong = name;
    wrong.insert(at, 1, 'q');
    const PluginSetup setup = set_up(wrong + "=1");
    INFO(wrong);
    REQUIRE(setup.faults.size() == 1);
    CHECK(setup.faults[0].code == LogCode::unknown_option);
    CHECK_THAT(setup.faults[0].text, Contains("did you mean "));
    CHECK(options_in_force(setup.options) == options_in_force(PluginOptions()));
  }
}

TEST_CASE("with random options, all engines are created, with at most two faults per entry") {
  RandomGenerator random(49, 9);
  std::vector<std::string> names;
  for (const auto& [name, option] : all_options()) names.push_back(name);
  const std::vector<std::string> values{
      "1",       "on",       "off",    "auto", "x", "-1", "0", "/no/such/file",
      "require", "diagonal", "random", "=",    "",  "15"};
  const std::string letters = "abcdeglmnoprstux._=- ,";
  for (int i = 0; i < 400; ++i) {
    std::string text;
    std::size_t entries = 0;
    for (std::uint32_t k = 1 + random.below(6); k > 0; --k, ++entries) {
      std::string name = names[random.below(static_cast<std::uint32_t>(names.size()))];
      if (random.below(4) == 0) {
        name[random.below(static_cast<std::uint32_t>(name.size()))] =
            letters[random.below(static_cast<std::uint32_t>(letters.size()))];
      }
      text += name + "=" + values[random.below(static_cast<std::uint32_t>(values.size()))] + " ";
    }
    INFO(text);
    const PluginSetup setup = set_up(text);
    CHECK(setup.faults.size() <= 2 * entries);
    // The remaining options have no faults if they are read again.
    std::string left;
    for (const auto& [name, value] : setup.options.all.entries()) left += name + "=" + value + " ";
    const PluginSetup again = set_up(left);
    CHECK(again.faults.empty());
    CHECK(options_in_force(again.options) == options_in_force(setup.options));
  }
}

TEST_CASE("any doubt about the option deadlock counts as require") {
  for (const char* const text :
       {"deadlock=x", "deadlock.policy=Ignore", "deadlock=ignore deadlock.policy=prefer",
        "deadlock=ignore deadlock.policy=nothing", "deadlock=1 deadlock=ignore"}) {
    INFO(text);
    CHECK(set_up(text).options.deadlock.policy == DeadlockPolicy::require);
  }
  const test::TemporaryFile file("deadlock=prefer\n");
  const PluginSetup setup = set_up("deadlock=ignore options_file=" + file.path());
  CHECK(setup.options.deadlock.policy == DeadlockPolicy::require);
  REQUIRE(setup.faults.size() == 1);
  CHECK(setup.faults[0].code == LogCode::contradiction);
}

TEST_CASE("a value that only some engines accept applies to these engines") {
  const PluginSetup setup = set_up("start=diagonal");
  CHECK(setup.options.engines.text("p2ssp", "start", "") == "diagonal");
  CHECK(setup.options.engines.text("cassp", "start", "none") == "none");
  REQUIRE(setup.faults.size() == 1);
  CHECK_THAT(setup.faults[0].text, Contains("cassp, dmodk: using the default of each engine"));
  const PluginSetup both = set_up("start=diagonal p2ssp.start=scattered");
  CHECK(both.options.engines.text("p2ssp", "start", "") == "scattered");
}

TEST_CASE("a wrong line in an options file affects only this line") {
  const test::TemporaryFile file(
      "# a comment\nmax_extra_hops=1\nnonsense=1\ncredit_loop_check=perhaps stable=off\n\x01\x02\n"
      "options_file=/another\nbudget.megabytes=5\n");
  const std::string text = "options_file=" + file.path();
  const PluginSetup setup = set_up(text);
  CHECK_FALSE(setup.options.stable);
  CHECK(setup.options.credit_loop_check);
  CHECK(setup.options.budget.megabytes == 5);
  CHECK(setup.options.engines.text("pssp", "max_extra_hops", "") == "1");
  REQUIRE(setup.faults.size() == 4);
  const auto at = [&](int line) { return file.path() + ":" + std::to_string(line) + ": "; };
  CHECK_THAT(setup.faults[0].text, StartsWith(at(3) + "option nonsense=1: unknown"));
  CHECK_THAT(setup.faults[1].text,
             StartsWith(at(4) + "option credit_loop_check=perhaps: not on or off"));
  CHECK_THAT(setup.faults[2].text, StartsWith(at(5) + "control characters"));
  CHECK_THAT(setup.faults[3].text, StartsWith(at(6) + "option options_file=/another: "));

  std::filesystem::permissions(file.path(), std::filesystem::perms::owner_read);
  for (const OptionFault& fault : set_up(text).faults) {
    INFO(fault.text);
    CHECK(fault.text.find("nonsense") == std::string::npos);
    CHECK(fault.text.find("perhaps") == std::string::npos);
  }
}

TEST_CASE("an options file that cannot be read or is given twice is ignored") {
  CHECK_THAT(fault_of("options_file=/no/such/file budget.megabytes=5"),
             StartsWith("ERR 7A14: option options_file: ") && Contains("its options are missing"));
  CHECK_THAT(fault_of("options_file=/tmp"), StartsWith("ERR 7A14: "));
  CHECK_THAT(fault_of("options_file=relative"), StartsWith("ERR 7A12: "));
  CHECK_THAT(fault_of("options_file=/a options_file=/b"), StartsWith("ERR 7A13: "));
}

TEST_CASE("of many faults only the first are listed") {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "nonsense" + std::to_string(i) + "=1 ";
  const PluginSetup setup = set_up(text);
  CHECK(setup.faults.size() == 100);
  const std::vector<std::string> lines = fault_lines(setup.faults);
  REQUIRE(lines.size() == 21);
  CHECK(lines.back() ==
        "ERR 7A19: 80 more options are wrong; correct the options listed above first");
}

TEST_CASE("an unknown engine name is reported if it resembles the name of a plugin engine") {
  const auto faults = [](std::string_view names) { return engine_name_faults(names).size(); };
  for (const EngineDescription& engine : engine_registry()) CHECK(faults(engine.name) == 0);
  CHECK(faults("minhop,updn,dnup,ftree lash dor,torus-2QoS,dfsssp,sssp,nue,file") == 0);
  CHECK(faults("best,pssp no_fallback") == 0);
  CHECK(faults("somebody_elses_engine") == 0);
  CHECK(faults("") == 0);
  const std::vector<OptionFault> found = engine_name_faults("bset, best:slack=10");
  REQUIRE(found.size() == 2);
  CHECK_THAT(found[0].text, Contains("routing_engine bset: ") && Contains("did you mean best?"));
  CHECK_THAT(found[1].text, Contains("event_plugin_options best.NAME=VALUE"));
}
