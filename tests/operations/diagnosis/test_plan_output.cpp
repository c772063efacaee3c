#include <catch2/catch.hpp>
#include <string>

#include "base/error.h"
#include "operations/diagnosis/plan_output.h"
#include "tests/operations/diagnosis/diagnosed_fabric.h"

using namespace pssp;
using namespace pssp::test;

TEST_CASE("quoted text is one word for a shell") {
  CHECK(shell_quoted("node1") == "'node1'");
  CHECK(shell_quoted("a'b; $(reboot) `x`") == "'a'\\''b; $(reboot) `x`'");
  CHECK(shell_quoted("") == "''");
  CHECK_THROWS_AS(shell_quoted("a\nb"), Error);
}

TEST_CASE("plans are written in the input format of each measurement program") {
  const auto made = diagnosed_fabric("k-ary-n-tree 2 2", "pssp");
  const RoundPlan plan = plan_rounds(*made->alternatives, made->units, {.rounds = 2});
  const auto texts = [&](PlanFormat format) {
    return write_plan(*made->nodes, made->units, plan, {.format = format, .device = "{}"});
  };
  const UnitPair first = plan.rounds[0][0];
  const std::string from = made->nodes->label(first.from), to = made->nodes->label(first.to);
  CHECK_THAT(texts(PlanFormat::plain)[0].content,
             Catch::Contains("\n1 " + from + " " + to + " # lid"));
  CHECK_THAT(texts(PlanFormat::clusterkit)[0].content,
             Catch::StartsWith("1 " + from + " " + to + "\n"));
  const auto mpi = texts(PlanFormat::mpi);
  REQUIRE(mpi.size() == 2);
  CHECK_THAT(mpi[0].content, Catch::StartsWith(made->nodes->label(0) + "\n"));
  REQUIRE(texts(PlanFormat::ib_write_bw).size() == 2);
  CHECK_THAT(texts(PlanFormat::ib_write_bw)[0].content,
             Catch::Contains("pair 1 '" + from + "' 'ib_write_bw"));
  CHECK_THAT(texts(PlanFormat::nccl)[1].content, Catch::Contains("all_reduce_perf"));
}
