// Tests how reports describe the lower bound of the edge forwarding index.

#include <catch2/catch.hpp>

#include "evaluator/report/bound_report.h"
#include "evaluator/report/text_report.h"
#include "evaluator/scoring/evaluation.h"
#include "tests/evaluator/sample_fabrics.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

EvaluationOptions few_bisections() {
  EvaluationOptions options;
  options.bisections.patterns = 10;
  return options;
}

}  // namespace

TEST_CASE("the text report gives the lower bound of the edge forwarding index and its cut") {
  // In a chain of four switches, 2 x 2 routes cross the middle in each direction.
  const test::RoutedFabric row = test::chain(4);
  CHECK_THAT(
      to_text_report(row.fabric, row.tables, evaluate(row.fabric, row.tables, few_bisections())),
      Catch::Contains("lower bound          4 for any tables of this fabric; largest / "
                      "bound 1.000") &&
          Catch::Contains("by the links between 2 switches and the other 2: "));
}

TEST_CASE("the text report states that no route needs a channel") {
  const test::RoutedFabric alone = test::single_switch(5);
  CHECK_THAT(to_text_report(alone.fabric, alone.tables,
                            evaluate(alone.fabric, alone.tables, few_bisections())),
             Catch::Contains("no route needs a channel"));
}

TEST_CASE("the text report states that a bound comes from the lengths of all routes") {
  const Fabric fabric = make_fabric("full-mesh 3");
  IndexBound bound;
  bound.value = bound.price_bound = 2;
  bound.cut = {1, {SwitchId(0)}};
  CHECK_THAT(describe_bound(fabric, bound, 2), Catch::Contains("lengths of all routes"));
  bound.cut.routes_per_channel = 2;
  CHECK(describe_bound(fabric, bound, 0) == "by the links between 1 switch and the other 2");
  CHECK_THAT(describe_bound(fabric, bound, 2), Catch::EndsWith(": " + fabric.label(SwitchId(0))));
}
