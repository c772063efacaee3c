// Samples that turn out to be from another node become gaps at every level, and nothing else
// changes.

#include <catch2/catch.hpp>
#include <map>

#include "monitor/store/history_reader.h"
#include "monitor/store/history_writer.h"
#include "tests/monitor/synthetic_fabric.h"
#include "tests/temporary_folder.h"

namespace pssp {
namespace {

using namespace std::chrono_literals;

struct Sum {
  std::uint64_t bytes = 0, covered_ms = 0;
  bool operator==(const Sum&) const = default;
};

/// Sums per port at one level.
std::map<std::pair<Guid, unsigned>, Sum> sums_at(const HistoryReader& reader, HistoryLevel level,
                                                 TimeWindow window = {}) {
  std::map<std::pair<Guid, unsigned>, Sum> sums;
  reader.for_each_sample(level, window, std::nullopt, [&](const HistorySample& sample) {
    Sum& to = sums[{sample.port.node, sample.port.number}];
    if ((sample.known & mask_of(Counter::transmit_bytes)) == 0) return true;
    to.bytes += sample.delta[static_cast<std::size_t>(Counter::transmit_bytes)];
    to.covered_ms += sample.covered_ms;
    return true;
  });
  return sums;
}

MonitorEvent doubt(Guid node, std::uint64_t since, std::uint64_t until) {
  MonitorEvent event;
  event.kind = EventKind::wrong_node;
  event.node = node;
  event.since_sweep = since;
  event.until_sweep = until;
  return event;
}

TEST_CASE("doubtful samples become gaps at all levels", "[monitor][faults]") {
  const test::TemporaryFolder folder;
  HistoryOptions options;
  options.file = folder.path() / "history.db";
  SyntheticFabric fabric("k-ary-n-tree 2 2");
  constexpr int sweeps = 800;  // more than two hours at 10 s per sweep
  std::vector<SnapshotPointer> all;
  Guid wrong = 0;
  {
    HistoryWriter writer(options);
    for (int i = 0; i < sweeps; ++i) {
      all.push_back(fabric.sweep());
      wrong = all.front()->map->nodes.back().guid;
      writer.write(all.back());
      if (i == 700) {
        while (writer.maintain(1s)) {
        }
        const MonitorEvent event = doubt(wrong, 100, 130);
        writer.write(std::span(&event, 1));
      }
    }
    while (writer.maintain(1s)) {
    }
  }
  const HistoryReader reader(options.file);
  std::size_t taken = 0;
  reader.for_each_sample(HistoryLevel::raw, {}, std::nullopt, [&](const HistorySample& sample) {
    const bool is_taken = sample.port.node == wrong && sample.sweep > 100 && sample.sweep <= 130;
    taken += is_taken ? 1U : 0U;
    if (is_taken) {
      CHECK(sample.status == PortStatus::doubtful);
      CHECK(sample.known == 0);
      CHECK(sample.delta == CounterValues{});
    } else {
      CHECK(sample.status != PortStatus::doubtful);
    }
    return true;
  });
  const std::size_t ports = all.front()->map->nodes.back().ports;
  CHECK(taken == 30 * ports);
  // Sums over five minutes and hours still equal the sums of their sweeps.
  for (const HistoryLevel level : {HistoryLevel::five_minutes, HistoryLevel::hour}) {
    std::int64_t last = 0;
    reader.for_each_sample(level, {}, std::nullopt, [&](const HistorySample& sample) {
      last = std::max(last, sample.time_ms);
      return true;
    });
    REQUIRE(last != 0);
    CHECK(sums_at(reader, level) == sums_at(reader, HistoryLevel::raw, {0, last + 1}));
  }
}

TEST_CASE("an event that takes back readings also applies to sweeps written after it",
          "[monitor][faults]") {
  const test::TemporaryFolder folder;
  HistoryOptions options;
  options.file = folder.path() / "history.db";
  SyntheticFabric fabric("k-ary-n-tree 2 2");
  Guid wrong = 0;
  {
    HistoryWriter writer(options);
    for (int i = 1; i <= 10; ++i) {
      const SnapshotPointer sweep = fabric.sweep();
      wrong = sweep->map->nodes.front().guid;
      const MonitorEvent event = doubt(wrong, 3, 7);
      writer.write(sweep, i == 5 ? std::span(&event, 1) : std::span<const MonitorEvent>());
    }
  }
  const HistoryReader reader(options.file);
  reader.for_each_sample(HistoryLevel::raw, {}, std::nullopt, [&](const HistorySample& sample) {
    const bool expected = sample.port.node == wrong && sample.sweep > 3 && sample.sweep <= 7;
    CHECK((sample.status == PortStatus::doubtful) == expected);
    return true;
  });
}

}  // namespace
}  // namespace pssp
