// Tests the JSON report of an evaluation.

#include <tbb/global_control.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "evaluator/report/text_report.h"
#include "evaluator/scoring/evaluation.h"
#include "fabric/builder.h"
#include "tests/evaluator/sample_fabrics.h"
#include "tools/eval_lft/json/report_json.h"

namespace {

using namespace pssp;
using namespace pssp::test;
using nlohmann::json;

EvaluationOptions options_of(std::uint64_t patterns) {
  EvaluationOptions options;
  options.bisections.patterns = patterns;
  return options;
}

json json_of(const RoutedFabric& routed, const EvaluationOptions& options = options_of(100)) {
  return json::parse(to_json_report(routed.fabric, routed.tables,
                                    evaluate(routed.fabric, routed.tables, options),
                                    {"a warning"}));
}

}  // namespace

TEST_CASE("the JSON report has the fields that scripts rely on") {
  const json report = json_of(cluster_2008_figure_1());
  CHECK(report["hosts"] == 16);
  CHECK(report["switches"] == 6);
  CHECK(report["channels"] == 32);
  CHECK(report["links"] == 32);
  CHECK(report["end_ports"] == 16);
  CHECK(report["aggregation_nodes"] == 0);
  CHECK(report["routers"] == 0);
  CHECK(report["ebb"]["patterns"] == 100);
  CHECK(report["ebb"]["seed"] == 1);
  const double mean = report["ebb"]["mean"];
  CHECK(mean > 0.5);
  CHECK(mean < 1);
  CHECK(report["ebb"]["stderr"] > 0);
  CHECK(report["ebb"]["interval_95"][0] < mean);
  CHECK(report["ebb"]["interval_95"][1] > mean);
  CHECK(report["edge_forwarding_index"]["max"] == 12);
  CHECK(report["edge_forwarding_index"]["mean"] == 12);
  CHECK(report["edge_forwarding_index"]["busiest"].size() == 10);
  CHECK(report["hops"]["mean"] == Approx(1.6));
  CHECK(report["hops"]["max"] == 2);
  CHECK(report["hops"]["histogram"] == json::array({48, 0, 192}));
  CHECK(report["usable"] == false);  // the figure has no routes to switches
  CHECK(report["unreachable_pairs"] == 0);
  CHECK(report["separated_pairs"] == 0);
  CHECK(report["unreachable_switch_pairs"] == 16 * 6);
  CHECK(report["forwarding_loops"] == 0);
  CHECK(report["dead_port_entries"] == 0);
  CHECK(report["credit_loop"] == false);
  CHECK(report["credit_loop_channels"].empty());
  CHECK(report["lanes"] == 1);
  CHECK(report.count("service_levels") == 0);
  CHECK(report["warnings"] == json::array({"a warning"}));
  CHECK(report["version"].is_string());
}

TEST_CASE("the JSON report contains the channels of a credit loop") {
  const json report = json_of(clockwise_ring());
  CHECK(report["usable"] == true);
  CHECK(report["credit_loop"] == true);
  CHECK(report["credit_loop_channels"].size() == 3);
  CHECK(report["lanes"].is_null());
  EvaluationOptions options = options_of(10);
  options.lanes.search = true;
  CHECK(json_of(clockwise_ring(), options)["lanes"] == 2);
  options.verify.credit_loops = false;
  CHECK(json_of(clockwise_ring(), options)["credit_loop"].is_null());
  CHECK(json_of(clockwise_ring(), options)["lanes"].is_null());
}

TEST_CASE("figures without a value are null in the JSON report") {
  for (const std::uint32_t hosts : {0U, 1U}) {
    const json report = json_of(single_switch(hosts));
    CHECK(report["hosts"] == hosts);
    CHECK(report["ebb"]["mean"].is_null());
    CHECK(report["ebb"]["stderr"].is_null());
    CHECK(report["ebb"]["patterns"] == 0);
    CHECK(report["edge_forwarding_index"]["max"] == 0);
  }
}

TEST_CASE("names that are not UTF-8 leave the JSON valid") {
  FabricBuilder builder;
  const NodeId a = builder.add_switch(1, 2, "a\xff\"\\", "\xc3(");
  const NodeId b = builder.add_switch(2, 2, "b", "");
  builder.connect(a, 1, b, 1, {});
  for (std::uint64_t i = 0; i < 2; ++i) {
    builder.connect(builder.add_adapter(10 + 2 * i, 1, EndPortKind::channel_adapter, "", ""), 1,
                    i == 0 ? a : b, 2, {});
  }
  builder.assign_lids();
  const Fabric fabric = std::move(builder).build();
  ForwardingTables tables(fabric.switch_count(), fabric.max_lid());
  for (const Lid lid : fabric.lids()) {
    for (std::uint32_t s = 0; s < 2; ++s) tables.set(SwitchId(s), lid, 1);
    tables.set(fabric.delivery(lid).at, lid, fabric.delivery(lid).port);
  }
  const std::string text =
      to_json_report(fabric, tables, evaluate(fabric, tables, options_of(10)), {});
  CHECK(json::parse(text)["edge_forwarding_index"]["busiest"].size() == 2);
}

TEST_CASE("reports are identical for any number of threads") {
  const RoutedFabric routed = random_fabric(4, RandomTables::noise, false);
  std::set<std::string> reports;
  for (const std::size_t threads : {1U, 2U, 3U}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    const Evaluation evaluation = evaluate(routed.fabric, routed.tables, options_of(50'000));
    reports.insert(to_json_report(routed.fabric, routed.tables, evaluation, {}) +
                   to_text_report(routed.fabric, routed.tables, evaluation));
  }
  CHECK(reports.size() == 1);
}
