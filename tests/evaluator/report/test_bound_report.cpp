// What is said about the bound on the edge forwarding index.

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "evaluator/report/bound_report.h"
#include "evaluator/report/evaluation.h"
#include "evaluator/report/json_report.h"
#include "evaluator/report/text_report.h"
#include "routing/engines/engine.h"
#include "tests/evaluator/sample_fabrics.h"
#include "topologies/registry.h"

using namespace pssp;
using nlohmann::json;

namespace {

EvaluationOptions few_bisections() {
  EvaluationOptions options;
  options.bisections.patterns = 10;
  return options;
}

json index_in_json(const Fabric& fabric, const ForwardingTables& tables) {
  return json::parse(to_json_report(fabric, tables, evaluate(fabric, tables, few_bisections()),
                                    {}))["edge_forwarding_index"];
}

}  // namespace

TEST_CASE("the smaller side of a cut is named, whichever side was found") {
  const Fabric fabric = make_fabric("mesh 5");
  const auto ids = [](std::initializer_list<std::uint32_t> values) {
    std::vector<SwitchId> switches;
    for (const std::uint32_t value : values) switches.emplace_back(value);
    return switches;
  };
  CutSide side = smaller_side(fabric, {1, ids({0, 1})});
  CHECK(side.switches == ids({0, 1}));
  CHECK(side.others == 3);
  side = smaller_side(fabric, {1, ids({1, 2, 3, 4})});
  CHECK(side.switches == ids({0}));
  CHECK(side.others == 4);
  side = smaller_side(fabric, {1, ids({0, 1, 2})});
  CHECK(side.switches == ids({3, 4}));
  CHECK(side.others == 3);
  CHECK(smaller_side(fabric, {}).switches.empty());
  CHECK(cut_to_json(fabric, {}, 10).is_null());
}

TEST_CASE("switches of other islands are on no side") {
  FabricBuilder builder;
  std::vector<NodeId> nodes;
  for (std::uint64_t i = 0; i < 6; ++i) nodes.push_back(builder.add_switch(1 + i, 4, "", ""));
  builder.connect(nodes[0], 1, nodes[1], 1, {});
  for (std::size_t i = 2; i < 5; ++i) builder.connect(nodes[i], 1, nodes[i + 1], 2, {});
  builder.assign_lids();
  const Fabric fabric = std::move(builder).build();
  const CutSide side = smaller_side(fabric, {1, {SwitchId(0)}});
  CHECK(side.switches == std::vector{SwitchId(0)});
  CHECK(side.others == 1);
}

TEST_CASE("index and bound in the reports are those of the definition") {
  // The paper's figure: 12 hosts send to each of 4 hosts by 4 cables.
  const test::RoutedFabric figure = test::cluster_2008_figure_1();
  const json found = index_in_json(figure.fabric, figure.tables);
  CHECK(found["bound"] == 12);
  CHECK(found["over_bound"] == 1);
  CHECK(found["cut"]["routes_per_channel"] == 12);
  CHECK(found["cut"]["switches"].get<int>() + found["cut"]["others"].get<int>() == 6);
  // In a row of four, 2 x 2 routes cross the middle each way.
  const test::RoutedFabric row = test::chain(4);
  CHECK(index_in_json(row.fabric, row.tables)["bound"] == 4);
  CHECK(index_in_json(row.fabric, row.tables)["cut"]["switches"] == 2);
  CHECK_THAT(
      to_text_report(row.fabric, row.tables, evaluate(row.fabric, row.tables, few_bisections())),
      Catch::Contains("lower bound          4 for any tables of this fabric; largest / "
                      "bound 1.000") &&
          Catch::Contains("by the links between 2 switches and the other 2: "));
}

TEST_CASE("where nothing crosses a channel the bound is 0 and reached") {
  const test::RoutedFabric alone = test::single_switch(5);
  const json found = index_in_json(alone.fabric, alone.tables);
  CHECK(found["bound"] == 0);
  CHECK(found["over_bound"] == 1);
  CHECK(found["cut"].is_null());
  CHECK_THAT(to_text_report(alone.fabric, alone.tables,
                            evaluate(alone.fabric, alone.tables, few_bisections())),
             Catch::Contains("no route needs a channel"));
}

TEST_CASE("no tables are below the bound that is reported for them") {
  for (const char* spec :
       {"torus 4x4 --hosts 2", "random-regular 12 --degree 3 --hosts 2 --seed 4",
        "k-ary-n-tree 2 3 --kill-links 2", "dragonfly --switches 3 --global-links 1"}) {
    const Fabric fabric = make_fabric(spec);
    for (const char* engine : {"pssp", "p2ssp"}) {
      const json found = index_in_json(fabric, make_engine(engine, {})->route(fabric).tables);
      CHECK(found["bound"] <= found["max"]);
      CHECK(found["over_bound"].get<double>() ==
            Approx(found["max"].get<double>() / found["bound"].get<double>()));
      CHECK(found["over_bound"] >= 1);
    }
  }
}

TEST_CASE("a bound by the lengths of routes is said to be one") {
  const Fabric fabric = make_fabric("full-mesh 3");
  IndexBound bound;
  bound.value = bound.price_bound = 2;
  bound.cut = {1, {SwitchId(0)}};
  CHECK_THAT(describe_bound(fabric, bound, 2), Catch::Contains("lengths of all routes"));
  bound.cut.routes_per_channel = 2;
  CHECK(describe_bound(fabric, bound, 0) == "by the links between 1 switch and the other 2");
  CHECK_THAT(describe_bound(fabric, bound, 2), Catch::EndsWith(": " + fabric.label(SwitchId(0))));
}
