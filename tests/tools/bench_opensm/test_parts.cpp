#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tools/bench_opensm/bars.h"
#include "tools/bench_opensm/benchmarks.h"
#include "tools/bench_opensm/reports.h"
#include "tools/bench_opensm/thin_hosts.h"

using namespace pssp;
using Catch::Contains;

namespace {

SweepRecord sweep(const std::string& size, unsigned hosts, const std::string& engine,
                  const std::string& event, std::int64_t microseconds) {
  SweepRecord record{"sizes", size, hosts, 2, engine, 1, event, {}};
  record.sweep.engine = "pssp";
  record.sweep.microseconds.fill(microseconds);
  return record;
}

}  // namespace

TEST_CASE(
    "the total of a benchmark is the sum of its phases, with statistics over the iterations") {
  const std::vector<SweepRecord> sweeps{sweep("a", 8, "pssp", "start", 1000),
                                        sweep("a", 8, "pssp", "start", 3000),
                                        sweep("a", 8, "pssp", "resweep", 9000)};
  const std::vector<BenchResult> results =
      results_of(benchmark("Subnet_Total_Time"), sweeps, "sizes");
  REQUIRE(results.size() == 1);
  CHECK(results[0].iterations == 2);
  CHECK(results[0].columns.back().mean == 20);
  CHECK(results[0].columns.back().least == 10);
  CHECK(results[0].columns.back().most == 30);
  CHECK(results_of(benchmark("Subnet_Reconfigure_Time"), sweeps, "sizes")[0].columns.back().mean ==
        81);
  CHECK(results_of(benchmark("Subnet_Total_Time"), sweeps, "placement").empty());
}

TEST_CASE("bars keep the order of the results, and names distinguish fabrics of equal size") {
  const std::vector<SweepRecord> sweeps{sweep("x/b", 8, "pssp", "start", 1000),
                                        sweep("x/a", 8, "pssp", "start", 1000),
                                        sweep("x/b", 8, "minhop", "start", 2000)};
  const Benchmark& total = benchmark("Subnet_Total_Time");
  const Bars bars = engine_bars(results_of(total, sweeps, "sizes"), total, "total");
  CHECK(bars_data(bars) == "group\tpssp\tminhop\n8 hosts, b\t10\t20\n8 hosts, a\t10\tNaN\n");
  CHECK(bars_text(bars, "size") ==
        "size         pssp  minhop\n8 hosts, b  10.00   20.00\n8 hosts, a  10.00       -\n");
}

TEST_CASE("hop bars are percentages of the pairs for the first engine of each fabric") {
  const std::vector<HopRecord> hops{
      {"a", "pssp", 0, 1}, {"a", "pssp", 1, 3}, {"a", "minhop", 1, 100}, {"b", "pssp", 2, 5}};
  CHECK(bars_data(hop_bars(hops)) == "group\ta\tb\n0\t25\tNaN\n1\t75\tNaN\n2\tNaN\t100\n");
}

TEST_CASE("the report names engines that refused a fabric and the engine that routed instead") {
  Measurements measured;
  measured.sweeps = {sweep("a", 8, "ftree", "start", 1000)};
  measured.refusals = {{"mesh", "lash", "no"}};
  const std::string text = bench_text(measured, 3);
  CHECK_THAT(text, Contains("Subnet_Total_Time (ms, mean of 3)\n"));
  CHECK_THAT(text, Contains("ftree (routed by pssp)"));
  CHECK_THAT(text, Contains("lash does not route mesh: no\n"));
}

TEST_CASE("hosts are thinned separately at each switch") {
  const std::string net =
      "Switch\t8 \"S0\"\n[1]\t\"H0\"[1]\n[2]\t\"H1\"[1]\n[3]\t\"S1\"[3]\n\n"
      "Switch\t8 \"S1\"\n[1]\t\"H2\"[1]\n[3]\t\"S0\"[3]\n\n"
      "Hca\t1 \"H0\"\n[1]\t\"S0\"[1]\n\nHca\t1 \"H1\"\n[1]\t\"S0\"[2]\n\nHca\t1 "
      "\"H2\"\n[1]\t\"S1\"[1]\n\n";
  CHECK(thin_hosts(net, 1, 2) ==
        "Switch\t8 \"S0\"\n[1]\t\"H0\"[1]\n[3]\t\"S1\"[3]\n\n"
        "Switch\t8 \"S1\"\n[1]\t\"H2\"[1]\n[3]\t\"S0\"[3]\n\n"
        "Hca\t1 \"H0\"\n[1]\t\"S0\"[1]\n\nHca\t1 \"H2\"\n[1]\t\"S1\"[1]\n\n");
  CHECK(thin_hosts(net, 2, 1).find("H2") == std::string::npos);
}
