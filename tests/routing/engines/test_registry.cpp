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
             Catch::Contains("no engine 'nosuch'") && Catch::Contains("p2ssp"));
}

TEST_CASE("the same fabric and options give the same bytes", "[registry]") {
  for (const EngineDescription& engine : engine_registry()) {
    INFO(engine.name);
    const bool wants_tree = engine.name == "heal";
    const Fabric fabric =
        make_fabric(wants_tree ? "k-ary-n-tree 3 3 --kill-links 4" : "torus 4x3 --hosts 2");
    CHECK(engine.make({})->route(fabric).tables == engine.make({})->route(fabric).tables);
  }
}

TEST_CASE("options: one engine's name wins over all engines'", "[registry]") {
  const EngineOptions options =
      EngineOptions::parse("max_detour=2 pssp.max_detour=1,\torder=by_switch");
  CHECK(options.number("pssp", "max_detour", 0, 0, 15) == 1);
  CHECK(options.number("other", "max_detour", 0, 0, 15) == 2);
  CHECK(options.number("other", "absent", 7, 0, 15) == 7);
  CHECK(options.text("pssp", "order", "best") == "by_switch");
  CHECK(options.choice("pssp", "order", {"best", "by_switch"}) == 1);
  CHECK(options.choice("pssp", "absent", {"best", "by_switch"}) == 0);
  CHECK(EngineOptions::parse("").entries().empty());
  CHECK(EngineOptions::parse("  , ").entries().empty());
  CHECK_NOTHROW(EngineOptions::parse("a=1 a=1"));
}

TEST_CASE("options that cannot be are refused with what can", "[registry]") {
  CHECK_THAT(refusal([] { EngineOptions::parse("max_detour"); }), Catch::Contains("name=value"));
  CHECK_THAT(refusal([] { EngineOptions::parse("=1"); }), Catch::Contains("name=value"));
  CHECK_THAT(refusal([] { EngineOptions::parse("max_detour="); }), Catch::Contains("name=value"));
  CHECK_THAT(refusal([] { EngineOptions::parse("a=1 a=2"); }), Catch::Contains("given twice"));
  for (const char* value : {"16", "-1", "1.5", "x", "1x", "99999999999999999999999"}) {
    const EngineOptions options = EngineOptions::parse(std::string("max_detour=") + value);
    CHECK_THAT(refusal([&] { make_engine("pssp", options); }), Catch::Contains("0 .. 15"));
  }
  CHECK_THAT(refusal([] { make_engine("pssp", EngineOptions::parse("order=odd")); }),
             Catch::Contains("by_switch"));
  CHECK_THAT(refusal([] { make_engine("p2ssp", EngineOptions::parse("start=odd")); }),
             Catch::Contains("diagonal"));
  CHECK_THAT(refusal([] { make_engine("pssp", EngineOptions::parse("nosuch=1")); }),
             Catch::Contains("'nosuch' is unknown") && Catch::Contains("pssp.max_detour"));
  CHECK_THAT(refusal([] { make_engine("pssp", EngineOptions::parse("p2ssp.max_detour=1")); }),
             Catch::Contains("unknown"));
}
