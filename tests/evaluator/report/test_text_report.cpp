#include <catch2/catch.hpp>
#include <string>

#include "evaluator/report/text_report.h"
#include "evaluator/scoring/evaluation.h"
#include "tests/evaluator/sample_fabrics.h"

namespace {

using namespace pssp;
using namespace pssp::test;

EvaluationOptions options_of(std::uint64_t patterns) {
  EvaluationOptions options;
  options.bisections.patterns = patterns;
  return options;
}

std::string text_of(const RoutedFabric& routed,
                    const EvaluationOptions& options = options_of(100)) {
  return to_text_report(routed.fabric, routed.tables,
                        evaluate(routed.fabric, routed.tables, options));
}

RoutedFabric with_a_lost_host() {
  RoutedFabric routed = chain(4);
  const Lid lid = routed.fabric.end_port(routed.fabric.endpoints()[3]).lid;
  routed.tables.set(SwitchId(2), lid, no_port);
  return routed;
}

}  // namespace

TEST_CASE("the text report lists problems of the tables with names") {
  const std::string text = text_of(with_a_lost_host());
  CHECK_THAT(text, Catch::Contains("Forwarding tables: BROKEN"));
  CHECK_THAT(text, Catch::Contains("unreachable pairs    3 "));
  CHECK_THAT(text, Catch::Contains("e.g. "));
  CHECK_THAT(text_of(clockwise_ring()),
             Catch::Contains("credit loop          YES: 3 channels") &&
                 Catch::Contains("virtual lanes        2 or more; --count-lanes"));
}

TEST_CASE("the text report of a fabric without faults gives its figures") {
  const std::string text = text_of(chain(4));
  CHECK_THAT(text, Catch::Contains("Forwarding tables: usable"));
  CHECK_THAT(text, Catch::Contains("hosts                4 end ports"));
  CHECK_THAT(text, Catch::Contains("credit loop          none"));
  CHECK_THAT(text, Catch::Contains("100 random bisections, seed 1"));
  CHECK_THAT(text, Catch::Contains("largest              4\n"));
  CHECK_THAT(text_of(single_switch(1)), Catch::Contains("undefined: fewer than two hosts"));
  CHECK_THAT(text_of(chain(4), options_of(1)), Catch::Contains("no standard error"));
}
