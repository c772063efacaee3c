// Tests that data is read back as written: values, sums over periods, maps, names and events, also
// across restarts, jumps of the clock, and size limits.

#include <SQLiteCpp/SQLiteCpp.h>

#include <catch2/catch.hpp>
#include <map>

#include "monitor/counters/rates.h"
#include "monitor/store/history_reader.h"
#include "monitor/store/history_writer.h"
#include "tests/monitor/synthetic_fabric.h"
#include "tests/temporary_folder.h"

namespace pssp {
namespace {

constexpr const char* small_fabric = "k-ary-n-tree 4 2";
using namespace std::chrono_literals;

HistoryOptions in(const test::TemporaryFolder& folder) {
  HistoryOptions options;
  options.file = folder.path() / "history.db";
  return options;
}

using Sums = std::map<std::pair<Guid, unsigned>, CounterValues>;

/// Exact sums per port over all samples of a level.
Sums sums_of(const HistoryReader& reader, HistoryLevel level, TimeWindow window = {}) {
  Sums sums;
  reader.for_each_sample(level, window, std::nullopt, [&](const HistorySample& sample) {
    CounterValues& to = sums[{sample.port.node, sample.port.number}];
    for (std::size_t i = 0; i < counter_count; ++i) to[i] += sample.delta[i];
    return true;
  });
  return sums;
}

PortKey busy_port(const Snapshot& snapshot) {
  for (std::uint32_t p = 0; p < snapshot.map->ports.size(); ++p) {
    if (snapshot.counters(p)[0] != 0) {
      return {snapshot.map->node_of(snapshot.map->ports[p]).guid, snapshot.map->ports[p].number};
    }
  }
  FAIL("no port sends");
  return {};
}

TEST_CASE("the history of a port has the differences of its counters") {
  test::TemporaryFolder folder;
  SyntheticFabric fabric(small_fabric);
  std::vector<SnapshotPointer> sweeps;
  {
    HistoryWriter writer(in(folder));
    for (int i = 0; i < 70; ++i) {
      sweeps.push_back(fabric.sweep());
      writer.write(sweeps.back());
    }
    CHECK(writer.last_sweep() == 70);
    CHECK(writer.damaged_copy().empty());
  }
  const HistoryReader reader(in(folder).file);
  const PortKey key = busy_port(*sweeps.back());
  CHECK(reader.has_port(key));
  CHECK_FALSE(reader.has_port({key.node, 200}));
  const PortHistory history = reader.port_history({key, {}, all_counters, 5'000, {}});
  REQUIRE(history.time_ms.size() == 70);
  CHECK(history.level == HistoryLevel::raw);
  CHECK(history.columns.size() == counter_count);
  CHECK(history.unreadable_rows == 0);
  CHECK(history.columns[0].gap[0]);  // there is no earlier reading
  const auto port = sweeps[0]->map->find_port(key.node, key.number);
  REQUIRE(port);
  for (std::size_t i = 1; i < 70; ++i) {
    const PortDifference expected = differences(*sweeps[i - 1], *sweeps[i])[*port];
    CHECK(history.covered_ms[i] == 10'000);
    CHECK(history.time_ms[i] == sweeps[i]->time_ms);
    for (const CounterColumn& column : history.columns) {
      CHECK(column.sum[i] == expected.of(column.counter));
      CHECK(column.gap[i] == !expected.has(column.counter));
      if (expected.has(column.counter)) {
        CHECK(column.mean[i] == Approx(expected.per_second(column.counter)));
      }
    }
  }
  const PortHistory joined =
      reader.port_history({key, {}, mask_of(Counter::transmit_bytes), 7, {}});
  REQUIRE(joined.time_ms.size() == 7);
  REQUIRE(joined.columns.size() == 1);
  std::uint64_t all = 0, parts = 0;
  for (const std::uint64_t sum : history.columns[0].sum) all += sum;
  for (const std::uint64_t sum : joined.columns[0].sum) parts += sum;
  CHECK(all == parts);
  CHECK(joined.time_ms.back() == history.time_ms.back());
}

TEST_CASE("sums over five minutes and hours are exact") {
  test::TemporaryFolder folder;
  SyntheticFabric fabric(small_fabric);
  HistoryWriter writer(in(folder));
  for (int i = 0; i < 6 * 130; ++i) {
    const std::shared_ptr<Snapshot> sweep = fabric.next();
    // In every sweep, about one port in eleven is silent.
    for (std::uint32_t p = 0; p < sweep->map->ports.size(); ++p) {
      if ((p / 8 + static_cast<std::uint32_t>(i) / 7) % 11 != 0) continue;
      sweep->status[p] = PortStatus::silent;
      sweep->known[p] = sweep->saturated[p] = 0;
      sweep->read_ns[p] = 0;
    }
    writer.write(sweep);
    while (writer.maintain(100ms)) {
    }
  }
  const HistoryReader reader(in(folder).file);
  std::vector<std::int64_t> ends;
  for (const HistoryLevel level : {HistoryLevel::five_minutes, HistoryLevel::hour}) {
    std::int64_t end = 0;
    std::size_t partly = 0;
    reader.for_each_sample(level, {}, std::nullopt, [&](const HistorySample& sample) {
      end = std::max(end, sample.time_ms);
      partly += sample.partly != 0 ? 1U : 0U;
      return true;
    });
    REQUIRE(end != 0);
    CHECK(partly > 0);
    const Sums exact = sums_of(reader, HistoryLevel::raw, {0, end + 1});
    const Sums sums = sums_of(reader, level);
    for (const auto& [port, sum] : sums) CHECK(exact.at(port) == sum);
    for (const auto& [port, sum] : exact) {
      if (sum[0] != 0) CHECK(sums.at(port)[0] == sum[0]);
    }
    ends.push_back(end);
  }
  CHECK(reader.status().oldest_of_level[2] == reader.status().oldest_ms);
}

TEST_CASE("after a restart, sweep numbers continue and the first sweep has no differences",
          "[monitor][faults]") {
  test::TemporaryFolder folder;
  SyntheticFabric fabric(small_fabric);
  for (int run = 0; run < 3; ++run) {
    HistoryWriter writer(in(folder));
    for (int i = 0; i < 4; ++i) writer.write(fabric.sweep());
    CHECK(writer.last_sweep() == static_cast<std::uint64_t>(4 * (run + 1)));
  }
  const HistoryReader reader(in(folder).file);
  const PortHistory history =
      reader.port_history({busy_port(*fabric.sweep()), {}, all_counters, 100, {}});
  REQUIRE(history.time_ms.size() == 12);
  for (std::size_t i = 0; i < 12; ++i) {
    CHECK(history.columns[0].gap[i] == (i % 4 == 0));
    CHECK((history.covered_ms[i] == 0) == (i % 4 == 0));
  }
  CHECK(reader.sweeps({}).size() == 12);
}

TEST_CASE("the next difference covers a skipped sweep", "[monitor][faults]") {
  test::TemporaryFolder folder;
  SyntheticFabric fabric(small_fabric);
  const SnapshotPointer first = fabric.sweep();
  fabric.sweep();
  const SnapshotPointer third = fabric.sweep();
  HistoryWriter writer(in(folder));
  writer.write(first);
  writer.write(third);
  const HistoryReader reader(in(folder).file);
  const PortKey key = busy_port(*third);
  const PortHistory history = reader.port_history({key, {}, all_counters, 100, {}});
  CHECK(history.covered_ms.at(1) == 20'000);
  const auto port = third->map->find_port(key.node, key.number);
  CHECK(history.columns[0].sum[1] == third->counters(*port)[0] - first->counters(*port)[0]);
}

TEST_CASE("a jump of the clock overwrites nothing and deletes nothing", "[monitor][faults]") {
  test::TemporaryFolder folder;
  SyntheticFabric fabric(small_fabric);
  HistoryWriter writer(in(folder));
  const std::int64_t year = 365LL * 24 * hour_ms;
  for (const std::int64_t jump : {std::int64_t{0}, 3 * year, -year, std::int64_t{0}}) {
    for (int i = 0; i < 40; ++i) {
      const std::shared_ptr<Snapshot> sweep = fabric.next();
      sweep->time_ms += jump;
      writer.write(sweep);
      while (writer.maintain(100ms)) {
      }
    }
  }
  const HistoryReader reader(in(folder).file);
  CHECK(reader.sweeps({}).size() == 160);
  std::size_t samples = 0;
  reader.for_each_sample(HistoryLevel::raw, {}, std::nullopt, [&](const HistorySample& sample) {
    ++samples;
    if (sample.known == 0) return true;
    CHECK(sample.covered_ms == 10'000);
    CHECK(static_cast<double>(sample.delta[0]) * 8 <=
          1.05 * sample.rate_mbits * 1e3 * static_cast<double>(sample.covered_ms));
    return true;
  });
  CHECK(samples == 160 * fabric.map().ports.size());
}

TEST_CASE("a history at its size limit deletes its oldest and finest rows first") {
  test::TemporaryFolder folder;
  SyntheticFabric fabric(small_fabric);
  HistoryOptions options = in(folder);
  options.max_bytes = 1'200'000;
  HistoryWriter writer(options);
  for (int i = 0; i < 1200; ++i) {
    writer.write(fabric.sweep());
    while (writer.maintain(100ms)) {
    }
    REQUIRE(writer.bytes() <= options.max_bytes);
  }
  const HistoryReader reader(options.file);
  const HistoryStatus status = reader.status();
  CHECK(status.sweeps < 1200);
  CHECK(status.sweeps >= 2);
  CHECK(status.oldest_of_level[1] < status.oldest_of_level[0]);
  CHECK(status.last_sweep == 1200);
  EventQuery query;
  query.kind = "history_shortened";
  CHECK_FALSE(reader.events(query).empty());
}

TEST_CASE("raw rows are deleted before coarser ones") {
  test::TemporaryFolder folder;
  SyntheticFabric fabric(small_fabric);
  HistoryOptions options = in(folder);
  options.raw_hours = 1;
  HistoryWriter writer(options);
  for (int i = 0; i < 60 * 3; ++i) {
    writer.write(fabric.sweep(60));
    while (writer.maintain(100ms)) {
    }
  }
  const HistoryReader reader(options.file);
  const HistoryStatus status = reader.status();
  CHECK(status.sweeps >= 60);
  CHECK(status.sweeps <= 62);
  CHECK(status.newest_ms - status.oldest_of_level[1] >= 2 * hour_ms);
  const PortKey key = busy_port(*fabric.sweep());
  const PortHistory all = reader.port_history({key, {}, all_counters, 5'000, {}});
  CHECK(all.level == HistoryLevel::five_minutes);
  const PortHistory recent = reader.port_history(
      {key, {status.newest_ms - hour_ms / 2, status.newest_ms + 1}, all_counters, 5'000, {}});
  CHECK(recent.level == HistoryLevel::raw);
}

TEST_CASE("maps, names and LIDs are stored with their times, and equal maps once") {
  test::TemporaryFolder folder;
  SyntheticFabric fabric(small_fabric);
  HistoryWriter writer(in(folder));
  writer.write(fabric.sweep());
  const auto change = [&](const auto& edit) {
    const std::shared_ptr<Snapshot> sweep = fabric.next();
    auto map = std::make_shared<FabricMap>(*sweep->map);
    edit(*map);
    sweep->map = map;
    writer.write(sweep);
    return sweep;
  };
  const std::string hostile("\x1b]0;\xff'); DROP TABLE node;--", 26);
  const auto renamed = change([&](FabricMap& map) { map.nodes[0].description = hostile; });
  const auto moved = change([&](FabricMap& map) { map.nodes[0].lid = 4711; });
  writer.write(fabric.sweep());
  const HistoryReader reader(in(folder).file);
  const Guid guid = fabric.map().nodes[0].guid;
  const std::vector<NodeName> names = reader.node_names(guid);
  REQUIRE(names.size() == 3);
  CHECK(names[1].description == hostile);
  CHECK(names[1].since_ms == renamed->time_ms);

  const auto map = reader.map_at(renamed->time_ms);
  REQUIRE(map);
  CHECK(map->nodes[0].description == hostile);
  const FabricMap& original = fabric.map();
  REQUIRE(map->ports.size() == original.ports.size());
  for (std::size_t p = 0; p < map->ports.size(); ++p) {
    CHECK(map->ports[p].peer == original.ports[p].peer);
    CHECK(map->ports[p].rate == original.ports[p].rate);
    CHECK(map->ports[p].state == original.ports[p].state);
    CHECK(map->ports[p].lid == original.ports[p].lid);
  }
  CHECK(reader.map_at(moved->time_ms)->nodes[0].lid == 4711);
  CHECK(reader.map_at(0)->nodes[0].description == original.nodes[0].description);
  const auto newest = reader.map_at(std::numeric_limits<std::int64_t>::max());
  CHECK(newest->nodes[0].description == original.nodes[0].description);
  CHECK(newest->generation == reader.map_at(0)->generation);
}

TEST_CASE("the write-ahead log can be emptied after each kind of write") {
  test::TemporaryFolder folder;
  SyntheticFabric fabric(small_fabric);
  HistoryWriter writer(in(folder));
  const auto is_log_emptied = [&] {
    SQLite::Database other(in(folder).file.string(), SQLite::OPEN_READWRITE);
    SQLite::Statement checkpoint(other, "PRAGMA wal_checkpoint(TRUNCATE)");
    REQUIRE(checkpoint.executeStep());
    return checkpoint.getColumn(0).getInt() == 0;
  };
  writer.write(fabric.sweep());
  CHECK(is_log_emptied());
  // Several switches have the same block, and the same tables are written twice.
  LiveTables tables;
  tables.map = fabric.sweep()->map;
  tables.by_node.resize(tables.map->nodes.size());
  for (std::size_t n = 0; n < tables.by_node.size(); ++n) {
    if (tables.map->nodes[n].kind == NodeKind::switch_node) tables.by_node[n].assign(64, 7);
  }
  for (const std::uint64_t hash : {1, 2}) {
    tables.hash = hash;
    REQUIRE(writer.write(tables));
    CHECK(is_log_emptied());
  }
  while (writer.maintain(50ms)) continue;
  CHECK(is_log_emptied());
}

TEST_CASE("a switch that disappears and returns has its history under its GUID",
          "[monitor][faults]") {
  test::TemporaryFolder folder;
  SyntheticFabric fabric(small_fabric);
  HistoryWriter writer(in(folder));
  const PortKey key = busy_port(*(fabric.sweep(), fabric.sweep()));
  writer.write(fabric.sweep());
  {
    const std::shared_ptr<Snapshot> sweep = fabric.next();
    auto empty = std::make_shared<Snapshot>();
    empty->time_ms = sweep->time_ms;
    empty->begin_ns = sweep->begin_ns;
    empty->map = std::make_shared<FabricMap>();
    writer.write(empty);
  }
  writer.write(fabric.sweep());
  writer.write(fabric.sweep());
  const HistoryReader reader(in(folder).file);
  const PortHistory history = reader.port_history({key, {}, all_counters, 100, {}});
  REQUIRE(history.time_ms.size() == 4);
  CHECK(history.columns[0].gap[1]);
  CHECK(history.columns[0].gap[2]);
  CHECK_FALSE(history.columns[0].gap[3]);
  CHECK(history.columns[0].sum[3] > 0);
}

TEST_CASE("events are found by time, kind and node, in pages") {
  test::TemporaryFolder folder;
  HistoryWriter writer(in(folder));
  std::vector<MonitorEvent> events;
  for (int i = 0; i < 50; ++i) {
    MonitorEvent event;
    event.kind = i % 2 == 0 ? EventKind::link_downed : EventKind::node_silent;
    event.time_ms = 1000 + i;
    if (i % 5 == 0) {
      event.node = 0xFFFF'0000'0000'0001;
      event.port = static_cast<PortNumber>(i % 3);
    }
    events.push_back(event);
  }
  writer.write(events);
  const HistoryReader reader(in(folder).file);
  CHECK(reader.events({}).size() == 50);
  EventQuery query;
  query.kind = "node_silent";
  query.window = {1010, 1020};
  CHECK(reader.events(query).size() == 5);
  query = {};
  query.node = 0xFFFF'0000'0000'0001;
  CHECK(reader.events(query).size() == 10);
  query = {};
  query.limit = 20;
  const auto newest = reader.events(query);
  REQUIRE(newest.size() == 20);
  CHECK(newest.back().time_ms == 1049);
  query.after = newest.front().number;
  const auto before = reader.events(query);
  CHECK(before.back().time_ms == 1029);
  CHECK(reader.map_at(0) == nullptr);
}

}  // namespace
}  // namespace pssp
