#include <catch2/catch.hpp>

#include "monitor/analysis/port_windows.h"
#include "tests/monitor/synthetic_fabric.h"

using namespace pssp;

TEST_CASE("a window covers its length and at most half as much again") {
  SyntheticFabric fabric("k-ary-n-tree 2 2");
  PortWindows windows(100);
  SnapshotPointer before = fabric.sweep(10);
  for (int i = 1; i <= 40; ++i) {
    const SnapshotPointer after = fabric.sweep(10);
    windows.add(*after, differences(*before, *after));
    before = after;
    const double seconds = windows.of(0).seconds;
    CHECK(seconds == Approx(i * 10.0 <= 150 ? i * 10.0 : seconds));
    CHECK((i < 10 || (seconds >= 99 && seconds <= 151)));
  }
}

TEST_CASE("a window sums the counts of its sweeps, also across a change of the map") {
  SyntheticFabric fabric("k-ary-n-tree 2 2");
  PortWindows windows(1000);
  const SnapshotPointer first = fabric.sweep();
  const SnapshotPointer second = fabric.sweep();
  const SnapshotPointer third = fabric.sweep();
  windows.add(*second, differences(*first, *second));
  auto other = std::make_shared<Snapshot>(*third);
  other->map = std::make_shared<const FabricMap>(*third->map);
  windows.add(*other, differences(*second, *other));
  for (std::uint32_t p = 0; p < third->map->ports.size(); ++p) {
    if (third->status[p] != PortStatus::read) continue;
    CHECK(windows.of(p).counted[0] == third->counters(p)[0] - first->counters(p)[0]);
    CHECK(windows.of(p).seconds == Approx(20));
  }
}

TEST_CASE("the counts of one port can be discarded without affecting others") {
  SyntheticFabric fabric("k-ary-n-tree 2 2");
  PortWindows windows(1000);
  const SnapshotPointer first = fabric.sweep(), second = fabric.sweep();
  windows.add(*second, differences(*first, *second));
  windows.forget(0);
  CHECK(windows.of(0).seconds == 0);
  CHECK(windows.of(0).counted == CounterValues{});
  CHECK(windows.of(1).seconds == Approx(10));
}
