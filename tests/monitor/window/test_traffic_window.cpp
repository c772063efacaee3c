// A window has the data that was written: bytes of hosts and channels, and the tables and jobs of
// its time.

#include <catch2/catch.hpp>
#include <map>

#include "base/error.h"
#include "monitor/analysis/attribution.h"
#include "monitor/store/history_writer.h"
#include "monitor/window/traffic_window.h"
#include "routing/engines/engine.h"
#include "tests/monitor/synthetic_fabric.h"
#include "tests/temporary_folder.h"

namespace pssp {
namespace {

struct WrittenWindow {
  WrittenWindow() : fabric("k-ary-n-tree 4 2") {
    options.file = folder.path() / "history.db";
    std::size_t hosts = 0;
    for (MapNode& node : fabric.map().nodes) {
      if (node.kind == NodeKind::channel_adapter) node.description = "n" + std::to_string(hosts++);
    }
    tables = make_engine("pssp", {})->route(*fabric.map().fabric).tables;
  }

  LiveTables live(std::int64_t time_ms) const {
    LiveTables now;
    const FabricMap& map = last->map ? *last->map : FabricMap{};
    now.map = last->map;
    now.time_ms = time_ms;
    now.by_node.resize(map.nodes.size());
    for (std::size_t n = 0; n < map.nodes.size(); ++n) {
      const auto s = map.fabric->find_switch(map.nodes[n].guid);
      if (!s) continue;
      now.by_node[n].resize(64, no_port);
      for (unsigned lid = 1; lid <= map.fabric->max_lid(); ++lid) {
        now.by_node[n][lid] = tables.at(*s, static_cast<Lid>(lid));
      }
    }
    now.hash = static_cast<std::uint64_t>(time_ms);
    return now;
  }

  void write(HistoryWriter& writer, int sweeps) {
    for (int i = 0; i < sweeps; ++i) {
      last = fabric.sweep();
      times.push_back(last->time_ms);
      kept.push_back(last);
      writer.write(last);
    }
  }

  static JobReport jobs(std::int64_t start_ms, std::int64_t now_ms) {
    auto list = std::make_shared<JobList>();
    Job job;
    job.id = "17";
    job.state = "RUNNING";
    job.start_s = start_ms / 1000;
    job.nodes = {"n0", "n5", "elsewhere"};
    list->jobs = {job};
    JobReport report;
    report.source = "slurm";
    report.time_ms = now_ms;
    report.jobs = list;
    return report;
  }

  test::TemporaryFolder folder;
  HistoryOptions options;
  SyntheticFabric fabric;
  ForwardingTables tables;
  SnapshotPointer last;
  std::vector<SnapshotPointer> kept;
  std::vector<std::int64_t> times;
};

TEST_CASE("a window has the bytes that ports counted, sweep by sweep") {
  WrittenWindow written;
  HistoryWriter writer(written.options);
  written.write(writer, 5);
  CHECK(writer.write(written.live(written.times[1])));
  CHECK(writer.write(WrittenWindow::jobs(written.times[2] - 1000, written.times[4])));
  const TrafficWindowPointer window = read_traffic_window(written.options.file, {});
  const ObservedTraffic& observed = window->observed;
  const Fabric& fabric = *observed.fabric;
  REQUIRE(observed.sweeps == 4);
  CHECK(window->level == HistoryLevel::raw);
  CHECK(window->total_seconds() == Approx(40).epsilon(.01));
  for (std::size_t t = 0; t < 4; ++t) {
    CHECK(window->time_ms[t] == written.times[t + 1]);
    const Snapshot& after = *written.kept[t + 1];
    const Snapshot& before = *written.kept[t];
    for (std::uint32_t p = 0; p < after.map->ports.size(); ++p) {
      const auto place = window->place_of(p);
      if (!place || after.map->ports[p].peer == MapPort::no_peer) continue;
      const auto bytes = static_cast<double>(after.counters(p)[0] - before.counters(p)[0]);
      const std::size_t hosts = fabric.end_port_count();
      switch (place->kind) {
        case TrafficWindow::Position::Kind::channel:
          CHECK(observed.channels[t * fabric.channel_count() + place->index] == bytes);
          break;
        case TrafficWindow::Position::Kind::from_host:
          CHECK(observed.sent[t * hosts + place->index] == bytes);
          break;
        case TrafficWindow::Position::Kind::to_host:
          CHECK(observed.received[t * hosts + place->index] == bytes);
          break;
      }
    }
  }
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (const Lid lid : fabric.lids()) {
      CHECK(window->tables.at(SwitchId(s), lid) == written.tables.at(SwitchId(s), lid));
    }
  }
  REQUIRE(window->jobs.size() == 1);
  CHECK(window->jobs[0].stored.job.id == "17");
  CHECK(window->jobs[0].not_found == std::vector<std::string>{"elsewhere"});
  CHECK(observed.jobs[0].hosts.size() == 2);
  CHECK(observed.jobs[0].first_sweep == 1);
  CHECK(observed.jobs[0].end_sweep == 4);
  // The attribution accepts the window.
  CHECK(Attribution(observed).hottest(3).size() == 3);
}

TEST_CASE("a window that begins during a sweep contains the whole sweep or nothing of it") {
  WrittenWindow written;
  HistoryWriter writer(written.options);
  // Reading times of ports differ by up to half a second, differently in each sweep.
  constexpr std::int64_t ns_in_ms = 1'000'000, apart_ms = 500;
  for (unsigned sweep = 0; sweep < 6; ++sweep) {
    const std::shared_ptr<Snapshot> next = written.fabric.next();
    for (std::size_t p = 0; p < next->read_ns.size(); ++p) {
      RandomGenerator own(sweep, p);
      if (next->read_ns[p] != 0) {
        next->read_ns[p] += static_cast<std::int64_t>(own.below(apart_ms)) * ns_in_ms;
      }
    }
    written.last = next;
    written.times.push_back(next->time_ms);
    writer.write(written.last);
  }
  CHECK(writer.write(written.live(written.times[0])));
  for (std::int64_t offset = -4800; offset <= 4800; offset += 100) {
    WindowOptions options;
    options.window.since_ms = written.times[1] + offset;
    const TrafficWindowPointer window = read_traffic_window(written.options.file, options);
    INFO(offset);
    CHECK(window->observed.sweeps >= 3);
    CHECK(window->observed.sweeps <= 5);
    const auto unknown = [](const std::vector<double>& bytes) {
      return std::ranges::count_if(bytes, [](double each) { return each < 0; });
    };
    CHECK(unknown(window->observed.channels) == 0);
    CHECK(unknown(window->observed.sent) == 0);
    CHECK(unknown(window->observed.received) == 0);
    for (const double seconds : window->seconds) CHECK(seconds == Approx(10).epsilon(.05));
  }
}

TEST_CASE("adjacent sweeps are combined, and jobs of the caller replace those of the database") {
  WrittenWindow written;
  HistoryWriter writer(written.options);
  written.write(writer, 12);
  CHECK(writer.write(written.live(written.times[0])));
  WindowOptions options;
  const TrafficWindowPointer all = read_traffic_window(written.options.file, options);
  options.most_sweeps = 3;
  auto list = std::make_shared<JobList>();
  Job job;
  job.id = "mine";
  job.start_s = 1'600'000'000;
  job.nodes = {"n1", "n2"};
  list->jobs = {job, job};
  list->jobs[1].end_s = 1'600'000'001;
  options.jobs = list;
  options.shared_hosts = {"N2", "n9"};
  const TrafficWindowPointer few = read_traffic_window(written.options.file, options);
  CHECK(few->observed.sweeps == 3);
  CHECK(few->total_seconds() == Approx(all->total_seconds()));
  const auto sum = [](const std::vector<double>& values) {
    double total = 0;
    for (const double each : values) total += each;
    return total;
  };
  CHECK(sum(few->observed.channels) == Approx(sum(all->observed.channels)));
  CHECK_FALSE(few->remarks.empty());
  REQUIRE(few->jobs.size() == 1);
  CHECK(few->observed.jobs[0].hosts.size() == 2);
  CHECK(std::count(few->observed.shared_hosts.begin(), few->observed.shared_hosts.end(), 1) == 2);
}

TEST_CASE("a window begins at the last change of routes between hosts, and needs tables") {
  WrittenWindow written;
  HistoryWriter writer(written.options);
  written.write(writer, 3);
  CHECK_THROWS_WITH(read_traffic_window(written.options.file, {}),
                    Catch::Contains("no forwarding tables"));
  CHECK(writer.write(written.live(written.times[0])));
  written.write(writer, 3);
  // Entries for new hosts change no route between existing hosts.
  LiveTables more = written.live(written.times[3]);
  for (auto& each : more.by_node) {
    if (!each.empty()) each[60] = 1;
  }
  CHECK(writer.write(more));
  CHECK(read_traffic_window(written.options.file, {})->observed.sweeps == 5);
  LiveTables other = more;
  other.time_ms = written.times[3];
  other.hash = 4711;
  for (auto& each : other.by_node) {
    if (!each.empty()) each[1] = static_cast<PortNumber>(each[1] == 5 ? 6 : 5);
  }
  CHECK(writer.write(other));
  const TrafficWindowPointer window = read_traffic_window(written.options.file, {});
  CHECK(window->observed.sweeps == 2);
  CHECK_THAT(window->remarks.front(), Catch::Contains("routes changed"));
}

}  // namespace
}  // namespace pssp
