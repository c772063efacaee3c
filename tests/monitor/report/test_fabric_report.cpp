#include <catch2/catch.hpp>

#include "base/error.h"
#include "monitor/report/fabric_report.h"
#include "monitor/store/history_writer.h"
#include "tests/monitor/synthetic_fabric.h"
#include "tests/temporary_folder.h"

namespace pssp {
namespace {

using Catch::Contains;

constexpr int sweeps = 12, first_down = 9;

struct ReportedWeek {
  test::TemporaryFolder folder;
  SyntheticFabric fabric{"k-ary-n-tree 4 2"};
  std::uint32_t leaf_port = 0, host_port = 0;  // of a link between switches; of a host
  std::int64_t begin_ms = 0, end_ms = 0;

  ReportedWeek() {
    FabricMap& map = fabric.map();
    const auto is_switch = [&](std::uint32_t p) {
      return map.node_of(map.ports[p]).kind == NodeKind::switch_node;
    };
    while (!is_switch(leaf_port) || map.ports[leaf_port].peer == MapPort::no_peer ||
           !is_switch(map.ports[leaf_port].peer)) {
      ++leaf_port;
    }
    while (is_switch(host_port)) ++host_port;
    map.nodes[map.ports[leaf_port].node].description = "<b>leaf & \x1b[2J";
    map.nodes[map.ports[host_port].node].description = "n17 HCA-1";
    HistoryOptions options;
    options.file = folder.path() / "history.db";
    HistoryWriter writer(options);
    for (int s = 1; s <= sweeps; ++s) write_sweep(writer, s);
    write_verdicts(writer);
  }

  void write_sweep(HistoryWriter& writer, int number) {
    const auto snapshot = fabric.next();
    if (number >= first_down) {
      for (const std::uint32_t p : {leaf_port, fabric.map().ports[leaf_port].peer}) {
        snapshot->status[p] = PortStatus::not_active;
        snapshot->known[p] = 0;
      }
    }
    if (number == 1) begin_ms = snapshot->time_ms;
    end_ms = snapshot->time_ms;
    writer.write(snapshot);
  }

  PortKey key_of(std::uint32_t port) const {
    const FabricMap& map = const_cast<ReportedWeek*>(this)->fabric.map();
    return {map.node_of(map.ports[port]).guid, map.ports[port].number};
  }

  void write_verdicts(HistoryWriter& writer) {
    VerdictRecord errors{key_of(leaf_port), "symbol_errors", Level::watch, begin_ms, end_ms, 7, 3,
                         "7 in 1 h"};
    VerdictRecord down{key_of(leaf_port), "state", Level::bad, end_ms - 36'000,
                       std::nullopt,      0,       0,          "the link is <down>"};
    VerdictRecord waiting{
        key_of(host_port), "transmit_wait", Level::watch, begin_ms, begin_ms + 72'000, 0.5, 0.3,
        "waited"};
    writer.write_verdicts(std::vector{errors, down, waiting});
    Job job;
    job.id = "4711";
    job.name = "<script>alert(1)</script>";
    job.user = "anna";
    job.state = "RUNNING";
    job.start_s = (begin_ms + 36'000) / 1000;
    job.nodes = {"n17"};
    auto list = std::make_shared<JobList>();
    list->jobs = {job};
    JobReport report;
    report.source = "slurm";
    report.time_ms = end_ms;
    report.jobs = list;
    REQUIRE(writer.write(report));
    writer.write_reroutes(std::vector{
        RerouteRecord{end_ms - 1000, end_ms, 12, 3, 2, 240, 30, 0, 0, 0, 5, 0, 2500, 0, "", {}},
        RerouteRecord{begin_ms - 1000, end_ms, 1, 1, 1, 240, 1, 0, 0, 0, 0, 0, 0, 0, "", {}}});
  }

  FabricReport read() const { return read_fabric_report(folder.path() / "history.db", {}); }
};

TEST_CASE("the report lists interrupted links, faults, congested jobs and reroutes") {
  const FabricReport report = ReportedWeek().read();
  CHECK(report.cables == 32);
  CHECK(report.monitored_h == Approx(110.0 / 3600));
  REQUIRE(report.interrupted.size() == 1);
  CHECK(report.interrupted[0].available == Approx(7.0 / 11));
  CHECK(report.availability == Approx(1 - 4.0 / 11 / 32));
  REQUIRE(report.faulty.size() == 1);
  CHECK(report.faulty[0].cable == report.interrupted[0].cable);
  CHECK(report.faulty[0].level == Level::bad);
  CHECK(report.faulty[0].kinds == std::vector<std::string>{"state"});
  CHECK(report.faulty[0].faults == 1);
  CHECK(report.faulty[0].hours == Approx(0.01).margin(0.001));
  REQUIRE(report.congested.size() == 1);
  CHECK(report.congested[0].id == "4711");
  CHECK(report.congested[0].hosts == 1);
  CHECK(report.congested[0].host_hours == Approx(0.01).margin(0.001));
  REQUIRE(report.reroutes.size() == 1);
  CHECK(report.reroutes[0].moved == 30);
}

TEST_CASE("names are escaped in the report, and the report loads no other files") {
  const std::string page = report_html(ReportedWeek().read());
  CHECK_THAT(page, Contains("&lt;b>leaf &amp; \\u{1b}[2J port ") &&
                       Contains("&lt;script>alert(1)&lt;/script>") &&
                       Contains("the link is &lt;down>") && Contains("63.64 %"));
  for (const char* absent :
       {"<script", "<b>", "http:", "https:", "url(", "src=", "href=", "\x1b"}) {
    INFO(absent);
    CHECK(page.find(absent) == std::string::npos);
  }
}

TEST_CASE("a long table states the number of omitted rows, and an empty table its meaning") {
  FabricReport report;
  report.window = {0, 1};
  CHECK_THAT(report_html(report), Contains("No cable had a fault."));
  for (int i = 0; i < 60; ++i) report.interrupted.push_back({"cable", 0.5});
  CHECK_THAT(report_html(report), Contains("10 more are not shown."));
}

TEST_CASE("a period without sweeps is refused") {
  const ReportedWeek week;
  const auto file = week.folder.path() / "history.db";
  CHECK_THROWS_AS(read_fabric_report(file, {0, 5}), Error);
  CHECK_THROWS_AS(read_fabric_report(file, {week.end_ms + 1000, week.end_ms + 2000}), Error);
  CHECK_THROWS_AS(read_fabric_report(week.folder.path() / "none", {}), Error);
}

}  // namespace
}  // namespace pssp
