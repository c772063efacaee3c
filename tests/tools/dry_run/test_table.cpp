#include <catch2/catch.hpp>

#include "tools/dry_run/table.h"

using namespace pssp;

namespace {

TableScore score(double bandwidth) {
  TableScore score;
  score.hosts = 16;
  score.end_ports = 18;
  score.end_ports_without_lid = 2;
  score.switches = 9;
  score.bandwidth = bandwidth;
  score.standard_error = .0123;
  score.index = 1008;
  score.hops_mean = 8.0 / 3;
  score.credit_loop = true;
  score.lanes = 2;
  score.routing_ms = 12.06;
  return score;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("all engines have a row, even those without tables") {
  TableScore unknown = score(.5);
  unknown.bandwidth = unknown.standard_error = unknown.index = unknown.hops_mean = std::nullopt;
  unknown.credit_loop = std::nullopt;
  unknown.lanes = std::nullopt;
  unknown.unreachable_pairs = 24;
  unknown.forwarding_loops = 3;
  const std::string text = comparison_table(
      {{"ftree", std::nullopt}, {"minhop", score(.57656)}, {"one", unknown}}, "/results");
  CHECK(has(text, "ftree   no tables\n"));
  CHECK(has(text, "minhop   0.5766 +- 0.0123     1008      2.667    yes      2        12.1\n"));
  CHECK(has(text, "one                - +- -        -          -      ?      -        12.1\n"));
  CHECK(has(text, "24 pairs do not reach each other, 3 forwarding loops\n"));
  TableScore partial = score(.5);
  partial.unreachable_switch_pairs = 8;
  partial.dead_port_entries = 2;
  CHECK(
      has(comparison_table({{"updn", partial}}, "/results"),
          "8 pairs of end port and switch have no route (management), 2 entries to dead ports\n"));
  // The counts are those of the first engine with tables, because all engines route the same hosts.
  CHECK(has(text, "hosts: 16 end ports in traffic, of 18, 2 without LID, at 9 switches"));
  CHECK(has(text, "reports: /results\n"));
}

TEST_CASE("if no engine has tables, no hosts are reported") {
  CHECK_FALSE(has(comparison_table({{"ftree", std::nullopt}}, "x"), "hosts:"));
}
