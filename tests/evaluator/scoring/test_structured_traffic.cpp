// Tests structured traffic in reports: when it is omitted, its values and its text.

#include <catch2/catch.hpp>
#include <cmath>

#include "evaluator/report/structured_report.h"
#include "evaluator/scoring/structured_traffic.h"
#include "routing/engines/engine.h"
#include "routing/structured_suite/patterns.h"
#include "topologies/registry.h"

using namespace pssp;
using Catch::Contains;

namespace {

StructuredTraffic traffic_of(const Fabric& fabric, const char* engine,
                             const StructuredOptions& options, std::uint64_t bisections = 5000) {
  return structured_traffic(fabric, make_engine(engine, {})->route(fabric).tables,
                            order_hosts(fabric, HostOrderRule::name), "name", options, 0.5,
                            bisections);
}

}  // namespace

TEST_CASE("S is omitted if it takes over a second and over a tenth of the time of the bisections") {
  const Fabric small = make_fabric("k-ary-n-tree 4 2");
  const StructuredTraffic counted = traffic_of(small, "pssp", {}, 1);
  CHECK_FALSE(counted.left_out);
  CHECK_THAT(summary_line(counted), Contains("S 1."));

  const Fabric large = make_fabric("xgft 200,120 1,2");
  const OrderedHosts hosts = order_hosts(large, HostOrderRule::name);
  REQUIRE(hosts.hosts.size() == 24'000);
  // With this number of bisections, S takes exactly a tenth of their time: one flow of S costs as
  // much as five flows of bisections.
  std::uint64_t phases = 0;
  for (const TrafficPattern& each : make_patterns(large, hosts.hosts, false)) {
    if (each.in_summary) phases += each.phases;
  }
  CHECK(is_cheap_beside(large, hosts, phases * 2 * 50));
  CHECK_FALSE(is_cheap_beside(large, hosts, phases * 2 * 50 - 1));
  const StructuredTraffic left_out = structured_traffic(
      large, ForwardingTables(large.switch_count(), large.max_lid()), hosts, "name", {}, 0.5, 5000);
  CHECK(left_out.left_out);
  CHECK_THAT(summary_line(left_out), Contains("not computed"));

  const StructuredTraffic always = traffic_of(small, "pssp", {.only_if_cheap = false}, 100);
  CHECK_FALSE(always.left_out);
  CHECK(always.times.find("leaf_pairs") != nullptr);
}

TEST_CASE("the summary line and the table report the same S") {
  const Fabric fabric = make_fabric("mesh 5x5 --hosts 2");
  const StructuredTraffic line = traffic_of(fabric, "meshdor", {}, 1'000'000);
  const StructuredTraffic table = traffic_of(fabric, "meshdor", {.only_if_cheap = false});
  CHECK(line.times.structured_slowdown == table.times.structured_slowdown);
  CHECK(line.times.find("leaf_pairs") == nullptr);
  CHECK(table.score == Approx(0.5 / std::pow(table.times.structured_slowdown, 0.25)));
  CHECK_THAT(summary_line(line), Contains("S 3.37 (shifts 3.43, ") || Contains("S 3.3"));
  const std::string text = to_text(table);
  CHECK_THAT(text, Contains("50 hosts in order of their names"));
  CHECK_THAT(text, Contains("\n  shifts "));
  CHECK_THAT(text, Contains("  eBB                  0.50000\n"));
}

TEST_CASE("a table of several routings has a column for each") {
  const Fabric fabric = make_fabric("xgft 4,4 1,2");
  const StructuredTraffic pssp = traffic_of(fabric, "pssp", {.only_if_cheap = false});
  const std::string text = to_text({"a.lft", "b.lft"}, {pssp, pssp});
  CHECK_THAT(text, Contains("bound    a.lft    b.lft\n"));
  CHECK_THAT(text, Contains("\n  S "));
}

TEST_CASE("fewer than two hosts have no structured traffic") {
  for (const char* spec : {"director 24 --hosts 1"}) {
    const Fabric fabric = make_fabric(spec);
    StructuredTraffic traffic = traffic_of(fabric, "pssp", {.only_if_cheap = false});
    CHECK(traffic.times.structured_slowdown == 1);
    if (traffic.hosts > 1) continue;
    CHECK_THAT(to_text(traffic), Contains("fewer than two hosts"));
    CHECK_THAT(to_text({"a"}, {traffic}), Contains("fewer than two hosts"));
  }
}

TEST_CASE("the report states that flows of structured traffic do not arrive") {
  const Fabric fabric = make_fabric("k-ary-n-tree 2 2");
  const StructuredTraffic traffic = structured_traffic(
      fabric, ForwardingTables(fabric.switch_count(), fabric.max_lid()),
      order_hosts(fabric, HostOrderRule::name), "file:x", {.only_if_cheap = false}, 0, 1);
  CHECK_THAT(to_text(traffic), Contains("flows do not arrive"));
  CHECK_THAT(to_text(traffic), Contains("in the order of file:x"));
}
