// Answers for node names: in the requested order, each name once, and never `yes` for an unknown
// node.

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "monitor/api/fit_view.h"

using namespace pssp;

namespace {

FitList three_nodes() {
  std::vector<NodeFit> nodes(3);
  nodes[0].name = "n1";
  nodes[0].level = Level::good;
  nodes[0].ports = {{0x10, 1}, {0x11, 1}};
  nodes[1].name = "n2";
  nodes[1].level = Level::bad;
  nodes[1].reasons = {{Level::bad, {0x1, 7}, "leaf port 7 \"x\" <b>"},
                      {Level::watch, {0x1, 8}, "too"}};
  nodes[1].advice = DrainAdvice::held_back;
  nodes[1].since_ms = 1'700'000'000'000;
  nodes[1].ports = {{0x12, 1}};
  nodes[2].name = "n3";
  nodes[2].level = Level::unknown;
  nodes[2].reasons = {{Level::unknown, {0x13, 1}, "silent"}};
  nodes[2].advice = DrainAdvice::drain;  // earlier advice, which does not apply to an unknown node
  nodes[2].ports = {{0x13, 1}};
  return FitList(std::move(nodes));
}

}  // namespace

TEST_CASE("a host list gives each name once, in its order", "[monitor]") {
  CHECK(fit_names("n3,n[1-2],n3,n1.x") == std::vector<std::string>{"n3", "n1", "n2", "n1.x"});
  CHECK(fit_names("").empty());
  CHECK(fit_names("n[0001-4096]").size() == most_fit_names);
  for (const char* bad : {"n[1-4097]", "n[1-999999999999]", "n[[1-2]]", "n[2-1]", "n[", "n]", ",",
                          "n1 n2", "n\x01", "n[1-]"}) {
    INFO(bad);
    CHECK_THROWS_AS(fit_names(bad), Error);
  }
  CHECK_THROWS_AS(fit_names(std::string("n\0x", 3)), Error);
  CHECK_THROWS_AS(fit_names(std::string(5 * 1024, 'n')), Error);
}

TEST_CASE("the text for shells has one line per node that is not fit", "[monitor]") {
  const FitList list = three_nodes();
  CHECK(fit_text(answers_of(list, {"n1", "N1.cluster"}, {})).empty());
  CHECK(fit_text(answers_of(list, {"n3", "n1", "n2", "n4"}, {})) ==
        "n3 unknown - silent\n"
        "n2 no held_back leaf port 7 \"x\" <b>; too\n"
        "n4 unknown - no node of the fabric has this name\n");
  CHECK(fit_text(answers_of(list, {"n1", "n2"}, "the last sweep is 99 s old")) ==
        "n1 unknown - the last sweep is 99 s old\n"
        "n2 unknown - the last sweep is 99 s old\n");
  CHECK(answers_of(list, {}, {}).size() == 3);
  std::vector<NodeFit> odd(1);
  odd[0].name = "two words\n\x1b[2J";
  odd[0].level = Level::watch;
  CHECK(fit_text(answers_of(FitList(std::move(odd)), {}, {})) ==
        "two_words\\u{a}\\u{1b}[2J watch - \n");
}

TEST_CASE("the JSON answer has the same nodes, and counts them by fitness", "[monitor]") {
  JsonWriter json;
  json.begin_object();
  write_fit(json, answers_of(three_nodes(), {"n2", "n1", "n4"}, {}));
  const auto read = nlohmann::json::parse(json.end_object().take());
  REQUIRE(read["nodes"].size() == 3);
  CHECK(read["nodes"][0] == nlohmann::json{{"name", "n2"},
                                           {"fit", "no"},
                                           {"since", 1'700'000'000'000},
                                           {"drain", false},
                                           {"held_back", true},
                                           {"reasons", {"leaf port 7 \"x\" <b>", "too"}}});
  CHECK(read["nodes"][1]["since"].is_null());
  CHECK(read["fits"] == nlohmann::json{{"yes", 1}, {"watch", 0}, {"no", 1}, {"unknown", 1}});
}

TEST_CASE("an adapter has the fitness of its node, a switch has none", "[monitor]") {
  const FitList list = three_nodes();
  const auto of = [](const FitList* known, Guid adapter) {
    JsonWriter json;
    json.begin_object();
    write_fit_of(json, known, adapter);
    return nlohmann::json::parse(json.end_object().take());
  };
  CHECK(of(&list, 0x11)["fit"] == "yes");
  CHECK(of(&list, 0x12)["fit_reasons"].size() == 2);
  CHECK(of(&list, 0x1)["fit"].is_null());
  CHECK(of(nullptr, 0x12)["fit"].is_null());
}
