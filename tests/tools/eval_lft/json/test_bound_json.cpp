// Tests the bound of the edge forwarding index in the JSON report.

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "evaluator/scoring/evaluation.h"
#include "routing/engines/engine.h"
#include "tests/evaluator/sample_fabrics.h"
#include "tools/eval_lft/json/report_json.h"
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

TEST_CASE("an empty cut is null") { CHECK(cut_to_json(make_fabric("mesh 5"), {}, 10).is_null()); }

TEST_CASE("index and bound in the JSON report follow the definition") {
  // In the figure of the paper, 12 hosts send to each of 4 hosts over 4 cables.
  const test::RoutedFabric figure = test::cluster_2008_figure_1();
  const json found = index_in_json(figure.fabric, figure.tables);
  CHECK(found["bound"] == 12);
  CHECK(found["over_bound"] == 1);
  CHECK(found["cut"]["routes_per_channel"] == 12);
  CHECK(found["cut"]["switches"].get<int>() + found["cut"]["others"].get<int>() == 6);
  // In a row of four switches, 2 x 2 routes cross the middle in each direction.
  const test::RoutedFabric row = test::chain(4);
  CHECK(index_in_json(row.fabric, row.tables)["bound"] == 4);
  CHECK(index_in_json(row.fabric, row.tables)["cut"]["switches"] == 2);
}

TEST_CASE("without channels, the bound is 0 and the index equals it") {
  const test::RoutedFabric alone = test::single_switch(5);
  const json found = index_in_json(alone.fabric, alone.tables);
  CHECK(found["bound"] == 0);
  CHECK(found["over_bound"] == 1);
  CHECK(found["cut"].is_null());
}

TEST_CASE("no tables have an index below the reported bound") {
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
