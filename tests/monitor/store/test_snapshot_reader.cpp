// The interval that contains a given time: at every level, across restarts and changed fabrics, and
// after deletion of raw sweeps.

#include <catch2/catch.hpp>

#include "base/error.h"
#include "monitor/store/history_reader.h"
#include "monitor/store/history_writer.h"
#include "monitor/store/snapshot_reader.h"
#include "tests/monitor/synthetic_fabric.h"
#include "tests/temporary_folder.h"

namespace pssp {
namespace {

using namespace std::chrono_literals;

HistoryOptions kept_in(const test::TemporaryFolder& folder) {
  HistoryOptions options;
  options.file = folder.path() / "history.db";
  return options;
}

/// Compares known counters exactly and times within 13 %, because times are stored approximately.
bool reports_the_same(const std::vector<PortDifference>& read,
                      const std::vector<PortDifference>& expected) {
  bool same = read.size() == expected.size();
  for (std::size_t p = 0; same && p < read.size(); ++p) {
    if (expected[p].known == 0) continue;
    same = read[p].delta == expected[p].delta && read[p].known == expected[p].known &&
           read[p].ns == Approx(static_cast<double>(expected[p].ns)).epsilon(0.13);
  }
  return same;
}

TEST_CASE("the interval of a time belongs to the sweep at its end") {
  test::TemporaryFolder folder;
  SyntheticFabric fabric("k-ary-n-tree 4 2");
  HistoryWriter writer(kept_in(folder));
  std::vector<SnapshotPointer> sweeps;
  for (int i = 0; i < 5; ++i) {
    sweeps.push_back(fabric.sweep());
    writer.write(sweeps.back());
  }
  const SnapshotReader reader(kept_in(folder).file);
  const std::int64_t first = sweeps[0]->time_ms;
  CHECK_FALSE(reader.span_at(first - 1));
  CHECK(reader.span_at(first) == HistorySpan{HistoryLevel::raw, 1, 1, first, first});
  for (int i = 1; i < 5; ++i) {
    const std::int64_t end = sweeps[static_cast<std::size_t>(i)]->time_ms;
    const HistorySpan expected{HistoryLevel::raw, i + 1, 1, end - 10'000, end};
    CHECK(reader.span_at(end) == expected);
    CHECK(reader.span_at(end - 9'999) == expected);
    const auto snapshot = reader.snapshot(expected);
    REQUIRE(snapshot);
    CHECK(reports_the_same(snapshot->differences,
                           differences(*sweeps[static_cast<std::size_t>(i) - 1],
                                       *sweeps[static_cast<std::size_t>(i)])));
    CHECK(snapshot->status == sweeps[static_cast<std::size_t>(i)]->status);
    CHECK(snapshot->map->fabric != nullptr);
    CHECK(snapshot->map == reader.snapshot(*reader.span_at(first))->map);
  }
  // The newest sweep also covers two intervals after its end.
  CHECK(reader.span_at(sweeps[4]->time_ms + 20'000)->id == 5);
  CHECK_FALSE(reader.span_at(sweeps[4]->time_ms + 20'001));
  const std::int64_t version = reader.version();
  writer.write(fabric.sweep());
  CHECK(reader.version() != version);
  CHECK(reader.span_at(sweeps[4]->time_ms + 1)->id == 6);
}

TEST_CASE("time in which the monitor was down is covered only by a longer period") {
  test::TemporaryFolder folder;
  SyntheticFabric fabric("k-ary-n-tree 4 2");
  std::vector<SnapshotPointer> sweeps;
  const auto write = [&](int count, double seconds) {
    HistoryWriter writer(kept_in(folder));
    for (int i = 0; i < count; ++i) {
      sweeps.push_back(fabric.sweep(i == 0 ? seconds : 10));
      writer.write(sweeps.back());
    }
    while (writer.maintain(100ms)) {
    }
  };
  write(3, 10);
  write(3, 100);
  const std::int64_t before = sweeps[2]->time_ms, after = sweeps[3]->time_ms;
  const SnapshotReader reader(kept_in(folder).file);
  CHECK_FALSE(reader.span_at(before + 1));
  CHECK_FALSE(reader.span_at(after - 1));
  CHECK(reader.span_at(after)->since_ms == after);
  write(40, 10);  // completes the period of five minutes
  const auto around = reader.span_at(before + 1);
  REQUIRE(around);
  CHECK(around->level == HistoryLevel::five_minutes);
  CHECK(around->since_ms <= before);
  CHECK(around->until_ms > after);
  CHECK(reader.span_at(before)->level == HistoryLevel::raw);
}

TEST_CASE("periods replace deleted sweeps and have their sums") {
  test::TemporaryFolder folder;
  SyntheticFabric fabric("k-ary-n-tree 4 2");
  HistoryOptions options = kept_in(folder);
  options.raw_hours = 1;
  HistoryWriter writer(options);
  std::vector<SnapshotPointer> sweeps;
  for (int i = 0; i < 150; ++i) {
    sweeps.push_back(fabric.sweep(60));
    writer.write(sweeps.back());
    while (writer.maintain(100ms)) {
    }
  }
  const SnapshotReader reader(options.file);
  const std::int64_t early = sweeps[30]->time_ms + 1;
  const auto span = reader.span_at(early);
  REQUIRE(span);
  CHECK(span->level == HistoryLevel::five_minutes);
  CHECK(span->until_ms - span->since_ms == 300'000);
  const auto snapshot = reader.snapshot(*span);
  REQUIRE(snapshot);
  std::vector<PortDifference> sums(snapshot->differences.size());
  for (std::size_t i = 1; i < sweeps.size(); ++i) {
    if (sweeps[i]->time_ms <= span->since_ms || sweeps[i]->time_ms > span->until_ms) continue;
    const auto all = differences(*sweeps[i - 1], *sweeps[i]);
    for (std::size_t p = 0; p < all.size(); ++p) {
      sums[p].ns += all[p].ns;
      sums[p].known |= all[p].known;
      for (std::size_t c = 0; c < counter_count; ++c) sums[p].delta[c] += all[p].delta[c];
    }
  }
  CHECK(reports_the_same(snapshot->differences, sums));
}

TEST_CASE("a past snapshot has the fabric of its time") {
  test::TemporaryFolder folder;
  HistoryWriter writer(kept_in(folder));
  SyntheticFabric small("k-ary-n-tree 4 2"), large("xgft 6,6 1,3");
  const std::size_t before = small.map().nodes.size();
  large.map().generation = 2;
  writer.write(small.sweep());
  const SnapshotPointer last = small.sweep();
  writer.write(last);
  auto other = large.next();
  other->time_ms = last->time_ms + 10'000;
  writer.write(other);
  const SnapshotReader reader(kept_in(folder).file);
  CHECK(reader.snapshot(*reader.span_at(last->time_ms))->map->nodes.size() == before);
  CHECK(reader.snapshot(*reader.span_at(other->time_ms))->map->nodes.size() ==
        large.map().nodes.size());
}

TEST_CASE("a missing database is an error") {
  test::TemporaryFolder folder;
  CHECK_THROWS_AS(SnapshotReader(folder.path() / "none.db"), Error);
}

}  // namespace
}  // namespace pssp
