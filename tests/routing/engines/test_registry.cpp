#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "base/error.h"
#include "routing/engines/engine.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

template <class F>
std::string refusal(F&& action) {
  try {
    action();
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("engines are found by name", "[registry]") {
  std::set<std::string_view> names;
  for (const EngineDescription& engine : engine_registry()) {
    CHECK(&find_engine(engine.name) == &engine);
    CHECK_FALSE(engine.summary.empty());
    names.insert(engine.name);
  }
  CHECK(names.size() == engine_registry().size());
  CHECK_THAT(refusal([] { find_engine("nosuch"); }),
             Catch::Contains("unknown engine 'nosuch'") && Catch::Contains("p2ssp"));
}

TEST_CASE("each engine gives the same tables for the same fabric and options", "[registry]") {
  for (const EngineDescription& engine : engine_registry()) {
    INFO(engine.name);
    const bool wants_tree = engine.name == "heal" || engine.name == "dmodk";
    const Fabric fabric =
        make_fabric(wants_tree ? "k-ary-n-tree 3 3 --kill-links 4" : "torus 4x3 --hosts 2");
    CHECK(engine.make({})->route(fabric).tables == engine.make({})->route(fabric).tables);
  }
}

TEST_CASE("an option with the prefix of an engine overrides the option for all engines",
          "[registry]") {
  const EngineOptions options =
      EngineOptions::parse("max_extra_hops=2 pssp.max_extra_hops=1,\torder=by_switch");
  struct Read {
    enum class Order : std::uint8_t { best, by_switch };
    std::uint32_t max_extra_hops = 0;
    std::uint32_t absent = 7;
    Order order = Order::best;
    Order absent_order = Order::best;
  };
  static constexpr std::array<std::string_view, 2> words{"best", "by_switch"};
  static constexpr std::array lines{
      number_option<&Read::max_extra_hops>("max_extra_hops", 0, 15, ""),
      number_option<&Read::absent>("absent", 0, 15, ""),
      choice_option<&Read::order>("order", words, ""),
      choice_option<&Read::absent_order>("absent_order", words, "")};
  constexpr OptionTable<Read> table(lines);
  const Read pssp = options.read("pssp", table);
  CHECK(pssp.max_extra_hops == 1);
  CHECK(options.read("other", table).max_extra_hops == 2);
  CHECK(options.read("other", table).absent == 7);
  CHECK(options.text("pssp", "order", "best") == "by_switch");
  CHECK(pssp.order == Read::Order::by_switch);
  CHECK(pssp.absent_order == Read::Order::best);
  CHECK(EngineOptions::parse("").entries().empty());
  CHECK(EngineOptions::parse("  , ").entries().empty());
  CHECK_NOTHROW(EngineOptions::parse("a=1 a=1"));
}

TEST_CASE("invalid options are rejected with the valid alternatives", "[registry]") {
  CHECK_THAT(refusal([] { EngineOptions::parse("max_extra_hops"); }),
             Catch::Contains("name=value"));
  CHECK_THAT(refusal([] { EngineOptions::parse("=1"); }), Catch::Contains("name=value"));
  CHECK_THAT(refusal([] { EngineOptions::parse("max_extra_hops="); }),
             Catch::Contains("name=value"));
  CHECK_THAT(refusal([] { EngineOptions::parse("a=1 a=2"); }), Catch::Contains("given twice"));
  for (const char* value : {"16", "-1", "1.5", "x", "1x", "99999999999999999999999"}) {
    const EngineOptions options = EngineOptions::parse(std::string("max_extra_hops=") + value);
    CHECK_THAT(refusal([&] { make_engine("pssp", options); }),
               Catch::Contains("not a number from 0 to 15"));
  }
  CHECK_THAT(refusal([] { make_engine("pssp", EngineOptions::parse("order=odd")); }),
             Catch::Contains("by_switch"));
  CHECK_THAT(refusal([] { make_engine("p2ssp", EngineOptions::parse("start=odd")); }),
             Catch::Contains("diagonal"));
  CHECK_THAT(refusal([] { make_engine("pssp", EngineOptions::parse("nosuch=1")); }),
             Catch::Contains("option nosuch=1: unknown") && Catch::Contains("--list"));
  CHECK(refusal([] { make_engine("best", EngineOptions::parse("slak=1")); }) ==
        "option slak=1: unknown; did you mean slack?");
  CHECK_THAT(refusal([] { find_engine("bset"); }), Catch::Contains("did you mean best?"));
  // The message has the option name as it was given, with the prefix.
  CHECK(refusal([] { make_engine("pssp", EngineOptions::parse("pssp.max_extra_hops=-1")); }) ==
        "option pssp.max_extra_hops=-1: not a number from 0 to 15");
  CHECK_THAT(refusal([] { make_engine("pssp", EngineOptions::parse("p2ssp.max_extra_hops=1")); }),
             Catch::Contains("unknown"));
}
